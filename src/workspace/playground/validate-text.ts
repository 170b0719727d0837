import type { Payload } from '../../contract/generated/types.ts'
import { isJsonObject } from '../../service/json-object.ts'
import { MAX_BODY_BYTES } from '../../service/body.ts'
import type { Finding } from '../../service/rules/rule.ts'
import { payloadFindings, payloadOutcome } from '../../service/rules/index.ts'
import { parseJson } from '../../internal/parse-json.ts'
import type { JsonError } from '../../internal/parse-json.ts'
import { locatePath } from './json-text.ts'
import type { TextRange } from './json-text.ts'

/** A finding with its location in the text. */
export interface Problem extends Finding, TextRange {}

/** The outcome of a text in the sidebar, and its problems, most severe first. */
export type ValidatedText =
  | {
      readonly outcome: 'rendered'
      readonly payload: Payload
      readonly problems: readonly Problem[]
    }
  | {
      readonly outcome:
        | 'unknown_component'
        | 'invalid_payload'
        | 'not_json'
        | 'not_an_object'
        | 'too_large'
      readonly problems: readonly Problem[]
    }

const TEXT_START: TextRange = { from: 0, to: 0, line: 1, column: 1 }

/** Validates a text with the rules that the emulator applies to responses. */
export function validateText(text: string): ValidatedText {
  if (isTooLarge(text)) return { outcome: 'too_large', problems: [sizeProblem(text)] }
  const parsed = parseJson(text)
  if (!parsed.ok) return { outcome: 'not_json', problems: [syntaxProblem(text, parsed.error)] }
  const { value } = parsed
  if (!isJsonObject(value)) {
    const problem = {
      rule: 'data-json',
      level: 'MUST',
      message: 'the payload is not a JSON object',
      fix: 'Use an object with version, header and components.',
      ...TEXT_START,
    } as const
    return { outcome: 'not_an_object', problems: [problem] }
  }
  const findings = payloadFindings(value)
  if (findings.length === 0) return { outcome: 'rendered', payload: toPayload(value), problems: [] }
  const problems = findings
    .map((finding) => ({ ...finding, ...locatePath(text, finding.path ?? '') }))
    .sort((a, b) => severity(a) - severity(b) || a.from - b.from)
  const errors = problems.filter(({ level }) => level === 'MUST')
  if (errors.length === 0) return { outcome: 'rendered', payload: toPayload(value), problems }
  return { outcome: payloadOutcome(errors), problems }
}

/** Returns whether a text exceeds the limit in UTF-8, whose size is only computed if necessary. */
function isTooLarge(text: string): boolean {
  if (text.length > MAX_BODY_BYTES) return true
  return text.length * 3 > MAX_BODY_BYTES && byteLength(text) > MAX_BODY_BYTES
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

function sizeProblem(text: string): Problem {
  const megabytes = (byteLength(text) / MAX_BODY_BYTES).toFixed(1)
  return {
    rule: 'response-size',
    level: 'MUST',
    message: `the payload is ${megabytes} MiB, and responses are read up to 1 MiB`,
    fix: 'Return only what an agent needs, and link to the rest.',
    ...TEXT_START,
  }
}

function syntaxProblem(text: string, { kind, offset, length, ...place }: JsonError): Problem {
  const where = `line ${place.line}, column ${place.column}`
  return {
    rule: 'data-json',
    level: 'MUST',
    message: text.trim() === '' ? 'the text is empty' : `${where} is not JSON: ${kind}`,
    fix: 'Use plain JSON: double quotes, no comments, no trailing commas.',
    from: offset,
    to: offset + length,
    ...place,
  }
}

function severity({ level }: Finding): number {
  return level === 'MUST' ? 0 : 1
}

function toPayload(value: Readonly<Record<string, unknown>>): Payload {
  return value as unknown as Payload
}
