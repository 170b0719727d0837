import { allPayloadRules } from '../../service/response-rules/index.ts'
import { adviceRules } from '../../service/response-rules/advice.ts'
import type { RuleInfo } from '../../service/response-rule.ts'
import type { DataProbe } from '../probe.ts'
import { type CheckRule, groupViolations, skipped } from './rule.ts'

/** Converts a rule about one payload to a rule about every payload of a check. */
function payloadRule(rule: RuleInfo): CheckRule {
  return {
    ...rule,
    isAdvice: rule.level === 'SHOULD' && adviceRules.some(({ id }) => id === rule.id),
    evaluate(evidence) {
      const probes = evidence.with('payload').filter(({ payload }) => payload !== undefined)
      if (probes.length === 0) return skipped('no payload was received')
      const ofRule = ({ findings }: DataProbe) => findings.filter((each) => each.rule === rule.id)
      return { violations: groupViolations(probes, ofRule) }
    },
  }
}

const payloadCheckRules = allPayloadRules.map(payloadRule)

/** The rules about the payload itself. */
export const payloadRules = payloadCheckRules.filter(({ group }) => group === 'payload')

/** The rules about components, their fields and their values. */
export const componentRules = payloadCheckRules.filter(({ group }) => group === 'components')

/** The rules about a payload that concern security. */
export const payloadSecurityRules = payloadCheckRules.filter(({ group }) => group === 'security')
