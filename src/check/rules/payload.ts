import { allPayloadRules } from '../../desk/rules/index.ts'
import type { PayloadRule } from '../../desk/rules/payload.ts'
import { skipped, summarize } from './rule.ts'
import type { CheckRule } from './rule.ts'

/** A rule about a payload, judged over every payload that came. */
function overPayloads(rule: PayloadRule): CheckRule {
  return {
    ...rule,
    judge(evidence) {
      const answered = [...evidence.samples, ...evidence.customers].filter(
        ({ verdict }) => verdict.ok,
      )
      if (answered.length === 0) return skipped('no payload came')
      const found = answered.flatMap(({ name, findings }) =>
        findings.filter((finding) => finding.rule === rule.id).map((each) => ({ ...each, name })),
      )
      return { faults: summarize(found, answered.length) }
    },
  }
}

const lifted = allPayloadRules.map(overPayloads)

/** The rules of the payload itself. */
export const payloadRules = lifted.filter(({ group }) => group === 'payload')

/** The rules of components, their fields and their values. */
export const componentRules = lifted.filter(({ group }) => group === 'components')

/** The rules of a payload that are about safety. */
export const payloadSecurityRules = lifted.filter(({ group }) => group === 'security')
