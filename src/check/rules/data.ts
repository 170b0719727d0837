import { describeType } from '../../desk/verify.ts'
import { mediaType } from '../../desk/media-type.ts'
import { dataRules as answerRules } from '../../desk/rules/data.ts'
import { dataStory } from '../stories.ts'
import { overSamples } from './answers.ts'
import { fault, KEPT, skipped } from './rule.ts'
import type { CheckRule } from './rule.ts'

const steady: CheckRule = {
  id: 'data-steady',
  group: 'data',
  level: 'MUST',
  title: 'A data fetch is right every time',
  contract: {
    says: 'The endpoint responds with a JSON object shaped as the custom app data payload.',
    anchor: 'data-fetch',
    basis: 'words',
  },
  fix: 'Look at what differs between the requests: another instance, a cold start, a limit of your backend.',
  why: 'The data is fetched whenever an agent opens an issue. One answer in ten that fails is a widget that "sometimes does not work".',
  judge(evidence) {
    const story = dataStory(evidence)
    // Without ids of our own choice, a stranger is as good as the main customer.
    const strangers = evidence.idsGiven ? [] : evidence.customers
    const { data: marked } = evidence.canary
    const others = [...strangers, ...(marked === undefined ? [] : [marked])]
    const wrong = [...story.unsteady, ...others.filter(({ verdict }) => !verdict.ok)]
    const [first] = wrong
    const total = evidence.samples.length + others.length
    if (first === undefined || first.verdict.ok) {
      return total < 2 ? skipped('one answer says nothing') : KEPT
    }
    return fault({
      message: `${wrong.length} of ${total} data fetches were wrong; ${first.name}: ${first.verdict.message}`,
    })
  },
}

const jsonType: CheckRule = {
  id: 'data-content-type-exact',
  group: 'data',
  level: 'SHOULD',
  title: 'A data answer says application/json',
  contract: {
    says: 'The endpoint responds with a JSON object. Its Content-Type is not shown; for the handshake it is `application/json`.',
    anchor: 'data-fetch',
    basis: 'silence',
  },
  fix: 'Set Content-Type to application/json.',
  why: 'Without a Content-Type the receiver has to guess, and a browser may guess HTML.',
  judge(evidence) {
    const { right } = dataStory(evidence)
    if (right.length === 0) return skipped('no data answer was JSON')
    const types = right.map(({ exchange }) => exchange.response?.headers['content-type'])
    const other = types.find((type) => mediaType(type) !== 'application/json')
    if (types.every((type) => mediaType(type) === 'application/json')) return KEPT
    return fault({ message: `the Content-Type is ${describeType(other)}` })
  },
}

/** Every rule of the data answer, in the order of the reports. */
export const dataRules: readonly CheckRule[] = [...answerRules.map(overSamples), steady, jsonType]
