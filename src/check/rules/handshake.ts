import { handshakeRules as answerRules } from '../../desk/rules/handshake.ts'
import type { CharacterProbe, Evidence } from '../probe.ts'
import { handshakeStory } from '../stories.ts'
import { overHandshakes } from './answers.ts'
import { fault, KEPT, list, skipped } from './rule.ts'
import type { CheckRule, Judgement } from './rule.ts'

const UNIQUE =
  '`code`: a unique code generated for each handshake; the answer holds the received code.'

const cached: CheckRule = {
  id: 'handshake-code-cached',
  group: 'handshake',
  level: 'MUST',
  title: 'No handshake gets the code of an earlier one',
  contract: { says: UNIQUE, anchor: 'handshake', basis: 'words' },
  fix: 'Do not cache the handshake, in the endpoint, a proxy or a CDN: send Cache-Control: no-store.',
  why: 'A cache that ignores the query answers every handshake like the first. The first connection works, and every retry fails.',
  judge(evidence) {
    const probes = handshakeStory(evidence).cached
    if (probes.length === 0) return KEPT
    return fault({
      message: `${list(probes.map(({ name }) => name))} got the code of an earlier handshake`,
    })
  },
}

const mixed: CheckRule = {
  id: 'handshake-code-mixed',
  group: 'handshake',
  level: 'MUST',
  title: 'Handshakes at the same time get their own codes',
  contract: { says: UNIQUE, anchor: 'handshake', basis: 'words' },
  fix: 'Keep the code in the request that it came with, never in a variable that requests share.',
  why: 'Two apps that connect in the same moment, or one user who chooses Retry Connection twice, are enough. A global variable works until then.',
  judge(evidence) {
    const probes = handshakeStory(evidence).mixed
    if (probes.length > 0) {
      return fault({
        message: `${list(probes.map(({ name }) => name))} got the code of a handshake at the same time`,
      })
    }
    return evidence.handshakes.length + evidence.characters.length < 3
      ? skipped('too few handshakes at the same time')
      : KEPT
  },
}

const characters: CheckRule = {
  id: 'handshake-code-characters',
  group: 'handshake',
  level: 'MUST',
  title: 'A code is decoded once and answered unchanged',
  contract: {
    says: 'The answer holds the received code. Which characters a code may have is not limited.',
    anchor: 'handshake',
    basis: 'words',
  },
  fix: 'Read the query with the parser of your language, once, and write the body as UTF-8 with its length in bytes.',
  why: 'A code that is cut out of the address by hand keeps its percent signs; one that is decoded twice loses them. `+`, `&` and letters outside ASCII show it.',
  judge: (evidence) => judgeCharacters(evidence, 'query'),
}

const quoting: CheckRule = {
  id: 'handshake-code-quoting',
  group: 'handshake',
  level: 'SHOULD',
  title: 'A code with a quotation mark is answered unchanged',
  contract: {
    says: 'The answer holds the received code. Whether a code ever holds a quotation mark is not shown.',
    anchor: 'handshake',
    basis: 'silence',
  },
  fix: 'Make the JSON with a JSON library, and do not escape for HTML what is no HTML.',
  why: 'JSON that is put together from strings breaks on a quotation mark, and anyone who sends one can put fields into your answer.',
  judge: (evidence) => judgeCharacters(evidence, 'quoting'),
}

const steady: CheckRule = {
  id: 'handshake-steady',
  group: 'handshake',
  level: 'MUST',
  title: 'The handshake is right every time',
  contract: {
    says: 'When the handshake does not succeed, the custom app status is Unverified.',
    anchor: 'connection',
    basis: 'words',
  },
  fix: 'Look at what differs between the requests: another instance, a cold start, a limit, state kept between requests.',
  why: 'One of several instances that is broken, or a first request that fails, looks like bad luck to the user who must choose Retry Connection.',
  judge(evidence) {
    const { right, unsteady } = handshakeStory(evidence)
    const [first] = unsteady
    if (first === undefined || first.verdict.ok) {
      return evidence.handshakes.length < 2 ? skipped('one handshake says nothing') : KEPT
    }
    const total = right.length + unsteady.length
    return fault({
      message: `${unsteady.length} of ${total} handshakes were wrong; ${first.name}: ${first.verdict.message}`,
    })
  },
}

function judgeCharacters(evidence: Evidence, kind: 'query' | 'quoting'): Judgement {
  const { cached, mixed } = handshakeStory(evidence)
  const probes = evidence.characters.filter((probe) => probe.kind === kind)
  if (probes.length === 0) return skipped('no ordinary handshake was right')
  const isWrong = (probe: CharacterProbe) =>
    !probe.verdict.ok && !cached.includes(probe) && !mixed.includes(probe)
  const wrong = probes.filter(isWrong)
  // A quotation mark that is not decoded says nothing about quoting.
  if (
    kind === 'quoting' &&
    evidence.characters.some((each) => each.kind === 'query' && isWrong(each))
  ) {
    return skipped('the code is not decoded as it should be')
  }
  const [first] = wrong
  if (first === undefined || first.verdict.ok) return KEPT
  return fault({
    message: `a code with ${list(
      wrong.map(({ holds }) => holds),
      9,
    )} comes back wrong: ${first.verdict.message}`,
  })
}

/** Every rule of the handshake, in the order of the reports. */
export const handshakeRules: readonly CheckRule[] = [
  ...answerRules.map(overHandshakes),
  cached,
  mixed,
  characters,
  quoting,
  steady,
]
