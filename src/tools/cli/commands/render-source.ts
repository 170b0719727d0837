import {
  type Payload,
  type PayloadIssue,
  validatePayload,
} from '../../../runtime/contract/index.ts'
import { redactValue } from '../../internal/redact-value.ts'
import type { ShownResult } from '../../service/endpoint-client.ts'
import { isAsIntended } from '../../service/endpoint/as-intended.ts'
import type { EndpointFailure } from '../../service/endpoint/endpoint-failures.ts'
import { isRecording } from '../../service/responses/recording.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { parseJson } from '../../internal/parse-json.ts'
import type { CliContext } from '../io.ts'
import { readInput } from '../read-input.ts'
import { findProject } from '../apps/find-project.ts'
import { fetchFromEndpoint } from './endpoint.ts'
import type { EndpointFlags } from './endpoint-options.ts'

/** The result of `readRenderSource()`. */
export interface RenderSource {
  /** `undefined` if there is no valid payload. */
  readonly payload: Payload | undefined
  readonly outcome: ShownResult['outcome']
  /** The reason why there is no payload, or only a card instead of data; empty if there is data. */
  readonly note: string
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

async function readEndpoint(target: string | undefined, flags: EndpointFlags, io: CliContext) {
  const fetched = await fetchFromEndpoint('render', target, flags, io)
  const { client, result, problem = '', failureCode } = fetched
  const { failures, message, fix, value } = result
  const isUnexpected = result.outcome === 'failed' && !isAsIntended(result)
  if (result.payload !== undefined && (problem === '' || isUnexpected)) {
    const { outcome, payload } = result
    const isCard = outcome !== 'rendered' && outcome !== 'failed'
    return {
      payload: redactValue(payload, client.redact),
      outcome,
      note: isCard ? `${message}. ${fix}` : '',
      issues: [],
      failures,
      exitCode: hasFailed(failures) ? EXIT_CODES.failed : EXIT_CODES.ok,
    }
  }
  const validation = validatePayload(value, { uriSchemes: 'any', unknownFields: 'ignore' })
  const issues = value === undefined || validation.ok ? [] : validation.issues
  return {
    ...UNREADABLE,
    note: problem,
    issues: redactValue(issues, client.redact),
    failures,
    exitCode: problem === '' ? EXIT_CODES.ok : failureCode,
  }
}

/** Returns whether there is a failure that no state asks for, and that agents see. */
export function hasFailed(failures: readonly EndpointFailure[]): boolean {
  return failures.some(({ stale, intended }) => !stale && intended !== true)
}

const UNREADABLE = {
  payload: undefined,
  outcome: 'failed',
  issues: [],
  failures: [],
  exitCode: EXIT_CODES.failed,
} as const

function readText(name: string, json: string): RenderSource {
  const parsed = parseJson(json)
  if (!parsed.ok) {
    const { line, column, kind } = parsed.error
    return { ...UNREADABLE, note: `${name}:${line}:${column}: invalid JSON, ${kind}` }
  }
  const { value } = parsed
  const validation = validatePayload(isRecording(value) ? value.response.body : value)
  if (!validation.ok) {
    return { ...UNREADABLE, note: `${name} is not a valid payload.`, issues: validation.issues }
  }
  const { payload } = validation
  return { ...UNREADABLE, payload, outcome: 'rendered', note: '', exitCode: EXIT_CODES.ok }
}
