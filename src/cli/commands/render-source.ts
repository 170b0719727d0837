import { type Payload, type PayloadIssue, validatePayload } from '../../contract/index.ts'
import { redactValue } from '../../internal/redact-value.ts'
import type { ShownResult } from '../../service/endpoint-client.ts'
import type { EndpointFailure } from '../../service/endpoint-failures.ts'
import { isRecording } from '../../service/recording.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { parseJson } from '../../internal/parse-json.ts'
import type { CliContext } from '../io.ts'
import { readInput } from '../read-input.ts'
import { findProject } from '../project/find-project.ts'
import { fetchFromEndpoint } from './endpoint.ts'
import type { EndpointFlags } from './endpoint-options.ts'

/** The result of `readRenderSource()`. */
export type RenderSource =
  | {
      readonly payload: Payload
      readonly outcome: ShownResult['outcome']
      /** Why a card is shown instead of data, with what to do; empty if there is none. */
      readonly note: string
      readonly failures: readonly EndpointFailure[]
    }
  | {
      readonly problem: string
      readonly issues: readonly PayloadIssue[]
      readonly failures: readonly EndpointFailure[]
      readonly exitCode: number
    }

/**
 * Reads a payload from an endpoint, a file or standard input. Secrets of the
 * custom headers are hidden.
 *
 * @throws {SidecardError} `usage` for a file that cannot be read
 */
export async function readRenderSource(
  source: string | undefined,
  flags: EndpointFlags,
  io: CliContext,
): Promise<RenderSource> {
  const isApp = findProject(io.cwd).apps.some(({ name }) => name === source)
  if (source === undefined || isApp || /^https?:\/\//i.test(source)) {
    return readEndpoint(source, flags, io)
  }
  return readText(source === '-' ? 'standard input' : source, await readInput(source, io))
}

async function readEndpoint(
  target: string | undefined,
  flags: EndpointFlags,
  io: CliContext,
): Promise<RenderSource> {
  const {
    client,
    result,
    problem = '',
    failureCode,
  } = await fetchFromEndpoint('render', target, flags, io)
  const { failures } = result
  if (result.payload !== undefined && (problem === '' || result.outcome === 'failed')) {
    const payload = redactValue(result.payload, client.redact)
    const { outcome, message, fix } = result
    const isCard = outcome !== 'rendered' && outcome !== 'failed'
    return { payload, outcome, note: isCard ? `${message}. ${fix}` : '', failures }
  }
  const validation = validatePayload(result.value, { uriSchemes: 'any', unknownFields: 'ignore' })
  const issues = result.value === undefined || validation.ok ? [] : validation.issues
  return {
    problem,
    issues: redactValue(issues, client.redact),
    failures,
    exitCode: failureCode,
  }
}

function readText(name: string, json: string): RenderSource {
  const parsed = parseJson(json)
  if (!parsed.ok) {
    const { line, column, kind } = parsed.error
    const problem = `${name}:${line}:${column}: invalid JSON, ${kind}`
    return { problem, issues: [], failures: [], exitCode: EXIT_CODES.failed }
  }
  const { value } = parsed
  const validation = validatePayload(isRecording(value) ? value.response.body : value)
  return validation.ok
    ? { payload: validation.payload, outcome: 'rendered', note: '', failures: [] }
    : {
        problem: `${name} is not a valid payload.`,
        issues: validation.issues,
        failures: [],
        exitCode: EXIT_CODES.failed,
      }
}
