import { handshakeRules } from './handshake.ts'
import type { HandshakeFault, HandshakeVerdict } from '../verify.ts'
import type { DataFault, DataVerdict } from '../data-answer.ts'
import { transportRules } from './answer.ts'
import { componentRules } from './components.ts'
import { dataRules } from './data.ts'
import { payloadNodes } from './payload-walk.ts'
import type { JsonObject } from './payload-walk.ts'
import { payloadRules } from './payload.ts'
import type { PayloadRule } from './payload.ts'
import { finding } from './rule.ts'
import type { Finding, RuleInfo } from './rule.ts'
import { payloadSecurityRules, valueRules } from './values.ts'

/** Every rule about a payload, in the order of the reports. */
export const allPayloadRules: readonly PayloadRule[] = [
  ...payloadRules,
  ...componentRules,
  ...valueRules,
  ...payloadSecurityRules,
]

/** The most findings of one rule in one payload; a hundred thousand bad items say no more than twenty. */
export const MAX_FINDINGS_PER_RULE = 20

/** The rule that a handshake breaks for a reason. */
export function ruleOfHandshakeFault(reason: HandshakeFault): RuleInfo {
  return ruleFor(reason, [...transportRules, ...handshakeRules])
}

/** The rule that a data answer breaks for a reason. */
export function ruleOfDataFault(reason: DataFault): RuleInfo {
  return ruleFor(reason, [...transportRules, ...dataRules])
}

function ruleFor(
  reason: string,
  rules: ReadonlyArray<RuleInfo & { readonly reasons: readonly string[] }>,
): RuleInfo {
  const rule = rules.find(({ reasons }) => reasons.includes(reason))
  if (rule === undefined) throw new TypeError(`No rule is about ${reason}.`)
  return rule
}

/** What is wrong with one answer to a handshake: nothing, or one thing. */
export function handshakeFindings(verdict: HandshakeVerdict): readonly Finding[] {
  return verdict.ok ? [] : [finding(ruleOfHandshakeFault(verdict.reason), verdict)]
}

/** What is wrong with one answer to a data fetch, its payload included. */
export function dataFindings(verdict: DataVerdict): readonly Finding[] {
  if (!verdict.ok) return [finding(ruleOfDataFault(verdict.reason), verdict)]
  return payloadFindings(verdict.value)
}

/**
 * What is wrong with a payload, by the rules of the payload, its components
 * and its addresses; at most {@link MAX_FINDINGS_PER_RULE} a rule.
 */
export function payloadFindings(payload: JsonObject): readonly Finding[] {
  const found = new Map<PayloadRule, Finding[]>(allPayloadRules.map((rule) => [rule, []]))
  for (const node of payloadNodes(payload)) {
    for (const [rule, findings] of found) {
      if (findings.length >= MAX_FINDINGS_PER_RULE) continue
      const fault = rule.judge(node)
      if (fault !== undefined) findings.push(finding(rule, fault))
    }
  }
  return [...found.values()].flat()
}
