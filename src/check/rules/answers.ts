import type { AnswerRule } from '../../desk/rules/answer.ts'
import { transportRules } from '../../desk/rules/answer.ts'
import type { DataProbe, HandshakeProbe } from '../probe.ts'
import { dataStory, handshakeStory } from '../stories.ts'
import type { Story } from '../stories.ts'
import { KEPT, skipped, summarize } from './rule.ts'
import type { CheckRule, Judgement } from './rule.ts'

/** A rule about one answer to a handshake, judged over the handshakes of a check. */
export function overHandshakes(rule: AnswerRule<string>): CheckRule {
  return {
    ...rule,
    judge: (evidence) => judgeStory(rule, handshakeStory(evidence), 'no handshake got as far'),
  }
}

/** A rule about one answer to a data fetch, judged over the samples of a check. */
export function overSamples(rule: AnswerRule<string>): CheckRule {
  return {
    ...rule,
    judge: (evidence) => judgeStory(rule, dataStory(evidence), 'no data answer got as far'),
  }
}

/** A rule about transport, judged over both. */
function overBoth(rule: AnswerRule<string>): CheckRule {
  return {
    ...rule,
    judge(evidence) {
      const handshakes = handshakeStory(evidence)
      const data = dataStory(evidence)
      const faults = [
        ...faultsOf(rule, handshakes, 'handshake: '),
        ...faultsOf(rule, data, 'data fetch: '),
      ]
      if (faults.length > 0) return { faults }
      const answered = [...evidence.handshakes, ...evidence.samples].some(
        ({ exchange }) => exchange.failure === undefined,
      )
      return answered ? KEPT : skipped('no answer came that it could be judged by')
    },
  }
}

/** What can go wrong before an answer can be judged, split by group. */
export const reachabilityRules: readonly CheckRule[] = transportRules
  .filter(({ group }) => group === 'reachability')
  .map(overBoth)

/** The transport rule about time. */
export const answerTimeRules: readonly CheckRule[] = transportRules
  .filter(({ group }) => group === 'latency')
  .map(overBoth)

function judgeStory(
  rule: AnswerRule<string>,
  story: Story<HandshakeProbe | DataProbe>,
  why: string,
): Judgement {
  const faults = faultsOf(rule, story, '')
  if (faults.length > 0) return { faults }
  return story.wrong.length > 0 ? skipped(why) : KEPT
}

function faultsOf(
  rule: AnswerRule<string>,
  { wrong }: Story<HandshakeProbe | DataProbe>,
  prefix: string,
) {
  const found = wrong.flatMap(({ name, verdict }) =>
    !verdict.ok && rule.reasons.includes(verdict.reason)
      ? [{ name, message: `${prefix}${verdict.message}` }]
      : [],
  )
  // Answers that differ only in the code that they quote are one fault.
  const [first] = summarize(found, wrong.length)
  return first === undefined ? [] : [first]
}
