import { PAYLOAD_ISSUE_CODES } from '../../../runtime/contract/issues.ts'
import type { PayloadIssueCode } from '../../../runtime/contract/issues.ts'
import { validatePayload } from '../../../runtime/contract/validate.ts'
import { MAX_OMITTED } from '../../../runtime/contract/validation.ts'
import type { JsonObject } from '../endpoint/json-object.ts'
import type { DataFailureReason, DataValidation } from '../responses/validate-data-response.ts'
import type {
  HandshakeFailureReason,
  HandshakeValidation,
} from '../responses/validate-handshake.ts'
import { adviceRules } from './advice.ts'
import { componentRules, scriptUrlRule } from './components.ts'
import { dataRules } from './data-response.ts'
import { handshakeRules } from './handshake-response.ts'
import {
  classifyPath,
  ISSUE_PLACES,
  type IssuePlace,
  type IssueRule,
  WRONG_TYPE,
} from './payload-rule.ts'
import { collectTexts } from './payload-texts.ts'
import { payloadRules } from './payload-structure.ts'
import { toFinding } from '../response-rule.ts'
import type { Finding, RuleInfo } from '../response-rule.ts'
import { transportRules } from './transport.ts'

const issueRules: readonly IssueRule[] = [...payloadRules, ...componentRules, scriptUrlRule]

/** Every rule about a payload, in the order of the reports. */
export const allPayloadRules: readonly RuleInfo[] = [...issueRules, ...adviceRules]

/** The maximum number of validation issues that are listed. The last finding counts the others. */
export const MAX_ISSUES = 1_000

/** The maximum number of findings of one advisory rule in one payload. */
const MAX_ADVICE = 20

/** Returns the rule that a handshake violates for a reason. */
export function ruleForHandshakeFailure(reason: HandshakeFailureReason): RuleInfo {
  return ruleFor(reason, [...transportRules, ...handshakeRules])
}

/** Returns the rule that a data response violates for a reason. */
export function ruleForDataFailure(reason: DataFailureReason): RuleInfo {
  return ruleFor(reason, [...transportRules, ...dataRules])
}

function ruleFor(
  reason: string,
  rules: ReadonlyArray<RuleInfo & { readonly reasons: readonly string[] }>,
): RuleInfo {
  const rule = rules.find(({ reasons }) => reasons.includes(reason))
  if (rule === undefined) throw new TypeError(`No rule covers ${reason}.`)
  return rule
}

/** Returns the finding of one response to a handshake, if any. */
export function handshakeFindings(validation: HandshakeValidation): readonly Finding[] {
  if (validation.ok) return []
  return [toFinding(ruleForHandshakeFailure(validation.reason), validation)]
}

/** Returns the findings of one response to a data fetch, including its payload. */
export function dataFindings(validation: DataValidation): readonly Finding[] {
  if (validation.ok) return payloadFindings(validation.value)
  return [toFinding(ruleForDataFailure(validation.reason), validation)]
}

/**
 * Returns the error state that an agent sees for an invalid payload. An unknown
 * component takes precedence, because the contract names it.
 */
export function payloadOutcome(
  findings: readonly Finding[],
): 'unknown_component' | 'invalid_payload' {
  const unknown = findings.some(({ rule }) => rule === 'component-type' || rule === 'card-nested')
  return unknown ? 'unknown_component' : 'invalid_payload'
}

/** Returns the findings of a payload: one for each validation issue, then the advice. */
export function payloadFindings(payload: JsonObject): readonly Finding[] {
  const validation = validatePayload(payload, { maxIssues: MAX_ISSUES })
  const issues = validation.ok ? [] : validation.issues
  const found = issues.map(({ code, path, message, fix }) => {
    // For a missing field of the payload, the rule's own fix is better: it names the value to add.
    const isPayloadField = code === 'missing_field' && !/[.[]/.test(path)
    const violation = isPayloadField ? { path, message } : { path, message, fix }
    return toFinding(ruleForIssue(code, path), violation)
  })
  const last = issues.at(-1)
  if (!validation.ok && validation.omittedCount > 0 && last !== undefined) {
    const count = validation.omittedCount
    const message = `${count < MAX_OMITTED ? count : `at least ${count}`} more validation issues are not listed`
    found.push(toFinding(ruleForIssue(last.code, last.path), { message, fix: 'Fix these first.' }))
  }
  const parts = collectTexts(payload)
  const advice = adviceRules.flatMap((rule) =>
    rule
      .check(payload, parts)
      .slice(0, MAX_ADVICE)
      .map((violation) => toFinding(rule, violation)),
  )
  return [...found, ...advice]
}

type Coverage = Readonly<Record<PayloadIssueCode, Readonly<Record<IssuePlace, RuleInfo>>>>

/** Returns the rule that covers a validation issue. */
export function ruleForIssue(code: PayloadIssueCode, path: string): RuleInfo {
  return COVERAGE[code][classifyPath(path)]
}

/**
 * Responses that are not objects are rejected earlier, but `payloadFindings()`
 * accepts any value.
 */
const payloadObjectRule: IssueRule = {
  ...ruleForDataFailure('not_an_object'),
  covers: [{ codes: ['missing_field', ...WRONG_TYPE], at: 'payload' }],
}

/**
 * Unless exactly one rule covers each issue, this throws when the module loads,
 * and therefore in every test.
 */
const COVERAGE = Object.fromEntries(
  PAYLOAD_ISSUE_CODES.map((code) => [
    code,
    Object.fromEntries(ISSUE_PLACES.map((place) => [place, findRule(code, place)])),
  ]),
) as Coverage

function findRule(code: PayloadIssueCode, place: string): RuleInfo {
  const rules = [payloadObjectRule, ...issueRules].filter(({ covers }) =>
    covers.some(({ codes, at = place }) => codes.includes(code) && at === place),
  )
  const [rule] = rules
  if (rule === undefined || rules.length > 1) {
    throw new TypeError(`${code} (${place}) is covered by ${rules.length} rules.`)
  }
  return rule
}
