import { describeType } from '../../contract/explain.ts'
import { isArray, isInstance } from '../../internal/hostile-values.ts'
import type { ActionMessages } from '../messages.ts'

/** The messages that tell an agent why a sign-in denied them. */
type Reason = 'tooManyGroups' | 'groupsUnknown' | 'otherAccount'

/** The error of a request that is denied. Its message is for the log. */
export class DenialError extends Error {
  override readonly name = 'DenialError'
  /** The message for the agent, instead of the general one. */
  readonly reason: Reason | undefined
  /** The link that the agent had opened before they left the page to sign in. */
  readonly token: string | undefined

  constructor(message: string, reason?: Reason, token?: string) {
    super(message)
    this.reason = reason
    this.token = token
  }
}

/** Returns the part of the page that says why a request was denied. */
export function explainDenial(error: unknown, messages: ActionMessages) {
  const reason = isInstance(error, DenialError) ? error.reason : undefined
  return { error, showsTraceId: true, ...(reason !== undefined && { text: messages[reason] }) }
}

/** Matches a text that may be a list of groups, with a separator other than a comma. */
const OTHER_LIST = /[;|"[\]{}]/

const MAX_GROUPS = 10_000

/**
 * The groups that a sign-in looks for, by the groups that it found. A session contains
 * no others, so the absence of any other group says nothing.
 */
export const listedGroups = new WeakMap<readonly string[], readonly string[]>()

/** Notes that a sign-in looked only for these groups. Returns the groups that it found. */
export function limitGroups(
  groups: readonly string[],
  names: readonly string[],
): readonly string[] {
  listedGroups.set(groups, names)
  return groups
}

/**
 * Returns the groups in a claim or a property: an array of names, or one name as a text.
 * Without a value, the groups are not known.
 *
 * @param where begins the message, such as `The claim groups`
 * @throws {DenialError} if the value has a different type
 */
export function parseGroups(value: unknown, where: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') {
    if (/[\s,]/.test(value) || OTHER_LIST.test(value)) {
      throw notGroups(where, 'a text that may be a list')
    }
    return value === '' ? [] : [value]
  }
  if (!isArray(value)) throw notGroups(where, describeType(value))
  if (value.length > MAX_GROUPS) throw notGroups(where, `an array of more than ${MAX_GROUPS}`)
  const groups = Array.from(value, (group) => {
    if (typeof group === 'string') return group
    throw notGroups(where, `an array with ${describeType(group)}`)
  }).filter(isNotBlank)
  const names = listedGroups.get(value as readonly string[])
  return names === undefined ? groups : limitGroups(groups, names)
}

/**
 * Returns the groups in a header.
 *
 * @throws {DenialError} if the header may use a different separator
 */
export function splitGroups(
  list: string,
  separator: string | undefined,
  where: string,
): readonly string[] {
  const groups = list
    .split(separator ?? ',')
    .map((group) => group.trim())
    .filter(isNotBlank)
  // A space can separate groups, or be a part of the only one.
  const isUnclear = OTHER_LIST.test(list) || (groups.length === 1 && /\s/.test(groups[0]!))
  if (separator !== undefined || !isUnclear) return groups
  throw groupsUnknown(`${where} may not be separated by commas. Set the option separator.`)
}

const isNotBlank = (group: string) => group.trim() !== ''

function notGroups(where: string, type: string): DenialError {
  return groupsUnknown(`${where} is ${type}, expected an array of names.`)
}

/** Creates the error of a sign-in that cannot know the groups of an agent. */
export function groupsUnknown(problem: string): DenialError {
  return new DenialError(`The groups of the agent are not known. ${problem}`, 'groupsUnknown')
}

/** Creates the error of a claim or a header that must name the groups. */
export function groupsMissing(where: string): DenialError {
  return groupsUnknown(
    `${where} is missing. Send it for every agent. If it is only missing for agents without groups, set omitsEmptyGroups.`,
  )
}
