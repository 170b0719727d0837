import { inGroup, must, should } from '../../service/response-rule.ts'
import { handshakeRules as responseRules } from '../../service/response-rules/handshake-response.ts'
import type { Evidence } from '../probes/evidence.ts'
import type { CharacterProbe, HandshakeProbe } from '../probe.ts'
import { classifyHandshakes } from '../probes/probe-series.ts'
import { handshakeRule } from './responses.ts'
import { countFailed, joinNames, PASSED, skipped, violation } from './rule.ts'
import type { CheckRule, CheckViolation, RuleOutcome } from './rule.ts'

const UNIQUE =
  '`code`: a unique code generated for each handshake; the response contains the received code.'

function evaluateCharacters(evidence: Evidence, kind: 'query' | 'quoting'): RuleOutcome {
  const series = classifyHandshakes(evidence)
  const all = evidence.of('character')
  const probes = all.filter((probe) => probe.kind === kind)
  if (probes.length === 0) return skipped('no regular handshake succeeded')
  const foreign: readonly HandshakeProbe[] = [...series.cached, ...series.crossed]
  const isWrong = (probe: CharacterProbe) => !probe.readable && !foreign.includes(probe)
  const wrong = probes.filter(isWrong)
  // If the query is decoded incorrectly, a wrong quotation mark says nothing about quoting.
  if (kind === 'quoting' && all.some((each) => each.kind === 'query' && isWrong(each))) {
    return skipped('the code is not decoded correctly')
  }
  const problem = wrong[0]?.problems.at(-1)
  if (problem === undefined) return PASSED
  const contained = wrong.map(({ contains }) => contains)
  return violation({
    message: `a code with ${joinNames(contained, 9)} was not returned unchanged: ${problem.message}`,
    ...fixFor(wrong),
  })
}

/** Reports handshakes that returned the code of a different one. */
function reportForeignCodes(probes: readonly HandshakeProbe[], whose: string): RuleOutcome {
  if (probes.length === 0) return PASSED
  const names = joinNames(probes.map(({ name }) => name))
  return violation({ message: `${names} returned the code of ${whose}` })
}

/** Returns the fix for codes that differ only in letter case or surrounding blanks, if all of them do. */
function fixFor(probes: readonly HandshakeProbe[]): Pick<CheckViolation, 'fix'> {
  const fold = (text = '') => text.trim().toLowerCase()
  const areFolded =
    probes.length > 0 && probes.every(({ code, receivedCode }) => fold(receivedCode) === fold(code))
  return areFolded
    ? { fix: 'Return the code unchanged: do not trim it or change its letter case.' }
    : {}
}

/** The rules about handshakes, in the order of reports. */
export const handshakeRules = inGroup<CheckRule>('handshake', [
  ...responseRules.map(handshakeRule),
  {
    id: 'handshake-code-cached',
    title: 'Handshake responses are not cached',
    ...must('handshake', UNIQUE),
    fix: 'Do not cache the handshake in the endpoint, a proxy or a CDN. Send Cache-Control: no-store.',
    why: 'A cache that ignores the query returns the first response to every handshake. The first connection works and every retry fails.',
    evaluate(evidence) {
      if (evidence.of('handshake').length === 0) return skipped('no handshake reached this check')
      return reportForeignCodes(classifyHandshakes(evidence).cached, 'an earlier handshake')
    },
  },
  {
    id: 'handshake-code-mixed',
    title: 'Concurrent handshakes return their own codes',
    ...must('handshake', UNIQUE),
    fix: 'Keep the code in request scope, never in a shared variable.',
    why: 'Two apps that connect at the same moment are enough to mix up codes, or one user who chooses Retry Connection twice.',
    evaluate(evidence) {
      const { crossed } = classifyHandshakes(evidence)
      const isUnclear = crossed.length === 0 && evidence.of('handshake', 'character').length < 3
      return isUnclear
        ? skipped('too few concurrent handshakes')
        : reportForeignCodes(crossed, 'a concurrent handshake')
    },
  },
  {
    id: 'handshake-code-characters',
    title: 'Codes with special characters are returned unchanged',
    ...must('handshake', 'The response contains the code. Its characters are not limited.'),
    fix: "Parse the query once with your language's URL parser. Write the body as UTF-8, with its length in bytes, and do not trim the code.",
    why: 'Hand-written parsing leaves percent escapes undecoded; decoding twice corrupts them. `+`, `&`, surrounding spaces and non-ASCII letters reveal it.',
    evaluate: (evidence) => evaluateCharacters(evidence, 'query'),
  },
  {
    id: 'handshake-code-quoting',
    title: 'Codes with quotation marks are returned unchanged',
    ...should('handshake', 'Whether a code may contain a quotation mark is not specified.'),
    fix: 'Build the JSON with a JSON library, and do not HTML-escape it.',
    why: 'String concatenation breaks on a quotation mark and lets callers inject fields into your response.',
    evaluate: (evidence) => evaluateCharacters(evidence, 'quoting'),
  },
  {
    id: 'handshake-consistent',
    title: 'Every handshake succeeds',
    ...must('connection', 'If the handshake does not succeed, the app is Unverified.'),
    fix: 'Look for differences between requests: another instance, a cold start, a rate limit, or shared state.',
    why: 'One broken instance or a failing first request looks random to the user, who has to choose Retry Connection.',
    evaluate(evidence) {
      const series = classifyHandshakes(evidence)
      const repeats = evidence.of('repeatedHandshake')
      // If no response is readable, the rules about single responses report the reason.
      const regular = [...series.passed, ...series.failed.filter(({ readable }) => readable)]
      const failed = [...series.flaky, ...repeats].filter(({ readable }) => !readable)
      const total = regular.length + series.flaky.length + repeats.length
      if (regular.length === 0 || (failed.length === 0 && total < 2)) {
        return skipped('requires at least two handshakes')
      }
      return countFailed(failed, total, 'handshakes', fixFor(failed))
    },
  },
])
