import type { CardItem } from '../../builders/components/children.ts'
import { link } from '../../builders/components/link.ts'
import { text } from '../../builders/components/text.ts'
import { SidecardError } from '../../internal/errors.ts'
import { runUserCode, type TimeLimit } from '../../internal/user-code.ts'
import { DesignedCardError } from '../designed-card.ts'
import type {
  CandidateDescription,
  IdentifyOptions,
  LookupKey,
  ReplacementCard,
} from './identify-types.ts'
import type { Messages } from '../messages.ts'

/** The maximum number of candidates on a card: a longer list does not help an agent. */
const MAX_CANDIDATES = 5

/** Creates the error for a customer that no lookup found. */
export function createNotFoundError(
  tried: readonly LookupKey[],
  missing: readonly LookupKey[],
): DesignedCardError {
  return new DesignedCardError('not_found', 'identify() found no customer.', (messages) => ({
    title: messages.notFound,
    components: [
      text({
        label: messages.reason,
        value:
          tried.length > 0
            ? messages.notFoundReason(tried.map((key) => messages.ids[key]))
            : messages.nothingToSearchBy(missing.map((key) => messages.ids[key])),
      }),
    ],
  }))
}

/** Creates the error for several matches. `descriptions` are those of the first ones. */
export function createAmbiguousError(
  via: LookupKey,
  count: number,
  descriptions: ReadonlyArray<string | CandidateDescription>,
): DesignedCardError {
  return new DesignedCardError('ambiguous', 'identify() found several customers.', (messages) => ({
    title: messages.ambiguous,
    components: [
      text({ label: messages.reason, value: messages.ambiguousReason(count, messages.ids[via]) }),
      ...descriptions.map((description) => candidateLine(description, messages)),
      count > descriptions.length &&
        descriptions.length > 0 &&
        text({
          label: messages.candidate,
          value: messages.moreCandidates(count - descriptions.length),
        }),
    ],
  }))
}

/**
 * Describes the first candidates, before the card is created: an error in
 * `describe` is an error of `fetchData`.
 */
export async function describeCandidates<Candidate>(
  candidates: readonly Candidate[],
  describe: IdentifyOptions<never>['describe'],
  limit: TimeLimit,
): Promise<Array<string | CandidateDescription>> {
  if (describe === undefined) return []
  return Promise.all(
    candidates
      .slice(0, MAX_CANDIDATES)
      .map((candidate) => runUserCode(() => describe(candidate as never), limit, checkDescription)),
  )
}

function checkDescription(
  description: string | CandidateDescription,
): string | CandidateDescription {
  try {
    candidateLine(description, { candidate: '' })
    return description
  } catch (cause) {
    throw invalidOptions('describe must return a string, or an object with label and url.', cause)
  }
}

/** Ends `fetchData` with the card of an option, if the option is set. */
export async function replaceCard<Info>(
  outcome: 'not_found' | 'ambiguous',
  replace: ((info: Info) => ReplacementCard | PromiseLike<ReplacementCard>) | undefined,
  info: Info,
  limit: TimeLimit,
): Promise<DesignedCardError | undefined> {
  if (replace === undefined) return undefined
  const replacement = await runUserCode(() => replace(info), limit)
  if (typeof replacement !== 'object' || replacement === null) {
    const option = outcome === 'ambiguous' ? 'ambiguous' : 'notFound'
    throw invalidOptions(`${option} must return components or a card. Is a return missing?`)
  }
  return new DesignedCardError(outcome, `identify() ended with ${outcome}.`, (messages) => {
    const title = outcome === 'ambiguous' ? messages.ambiguous : messages.notFound
    return 'components' in replacement
      ? { title: replacement.header?.title ?? title, components: replacement.components }
      : { title, components: replacement }
  })
}

/** Creates the error for wrong arguments of `identify()`, which is a failure of `fetchData`. */
export function invalidOptions(problem: string, cause?: unknown): SidecardError {
  return new SidecardError('invalid_options', `identify: ${problem}`, { cause })
}

function candidateLine(
  description: string | CandidateDescription,
  { candidate }: Pick<Messages, 'candidate'>,
): CardItem {
  if (typeof description === 'string') return text({ label: candidate, value: description })
  const { label, value, url } = description
  if (url !== undefined)
    return link({ label: value === undefined ? label : `${label}: ${value}`, url })
  return value === undefined ? text({ label: candidate, value: label }) : text({ label, value })
}
