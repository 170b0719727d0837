import type { Payload } from '../../../runtime/contract/generated/types.ts'
import type { WidgetOutcome } from '../../emulator/protocol/exchanges.ts'
import { isJsonObject } from '../../service/endpoint/json-object.ts'
import { MAX_BODY_BYTES } from '../../service/endpoint/body.ts'
import type { Finding } from '../../service/response-rule.ts'
import { payloadFindings, payloadOutcome } from '../../service/response-rules/index.ts'
import { parseJson } from '../../internal/parse-json.ts'
import { locatePath, type TextRange } from './json-text.ts'

/** A finding with its location in the text. */
export interface Problem extends Finding, TextRange {}

/** The outcome of a text in the sidebar, and its problems, most severe first. */
export interface ValidatedText {
  readonly outcome: WidgetOutcome
  /** Null for a text that is not valid. */
  readonly payload: Payload | null
  readonly problems: readonly Problem[]
}

/** Validates a text with the rules that the emulator applies to responses. */
export function validateText(text: string): ValidatedText {
  // A character has at most three bytes in UTF-8.
  const bytes = text.length * 3 > MAX_BODY_BYTES ? new TextEncoder().encode(text).length : 0
  if (bytes > MAX_BODY_BYTES) {
    const size = (bytes / MAX_BODY_BYTES).toFixed(1)
    return reject('too_large', {
      rule: 'response-size',
      message: `the payload is ${size} MiB, and responses are read up to 1 MiB`,
      fix: 'Return only what an agent needs, and link to the rest.',
    })
  }
  const parsed = parseJson(text)
  if (!parsed.ok) {
    const { kind, offset, length, line, column } = parsed.error
    const place = { from: offset, to: offset + length, line, column }
    const where = `line ${line}, column ${column}`
    return reject('not_json', {
      rule: 'data-json',
      message: text.trim() === '' ? 'the text is empty' : `${where} is not JSON: ${kind}`,
      fix: 'Use plain JSON: double quotes, no comments, no trailing commas.',
      ...place,
    })
  }
  const { value } = parsed
  if (!isJsonObject(value)) {
    return reject('not_an_object', {
      rule: 'data-json',
      message: 'the payload is not a JSON object',
      fix: 'Use an object with version, header and components.',
    })
  }
  const problems = payloadFindings(value)
    .map((finding) => ({ ...finding, ...locatePath(text, finding.path ?? '') }))
    .sort((a, b) => severity(a) - severity(b) || a.from - b.from)
  const errors = problems.filter(({ level }) => level === 'MUST')
  if (errors.length > 0) return { outcome: payloadOutcome(errors), payload: null, problems }
  return { outcome: 'rendered', payload: value as unknown as Payload, problems }
}

type Rejection = Omit<Finding, 'level'> & Partial<TextRange>

function reject(outcome: WidgetOutcome, rejection: Rejection): ValidatedText {
  const start: TextRange = { from: 0, to: 0, line: 1, column: 1 }
  return { outcome, payload: null, problems: [{ ...start, ...rejection, level: 'MUST' }] }
}

function severity({ level }: Finding): number {
  return level === 'MUST' ? 0 : 1
}
