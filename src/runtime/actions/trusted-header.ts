import { isHeaderName } from '../app/request/secrets.ts'
import {
  flag,
  invalidOption,
  kind,
  listOf,
  readOptions,
  withDefault,
} from '../internal/read-options.ts'
import type { SignIn } from './agent.ts'
import { groupsMissing, splitGroups } from './groups.ts'

/** Options of `trustedHeader()`. */
export interface TrustedHeaderOptions {
  /**
   * The header with the agent's groups, such as `x-auth-request-groups`. A request
   * without it is denied, because the groups are not known. The proxy must also remove
   * this header from requests that come from outside.
   */
  readonly groupsHeader?: string | undefined
  /**
   * The separator of the groups, such as `'|'`. It must not occur in the name of a group.
   * @default ','
   */
  readonly separator?: string | undefined
  /** Whether the proxy leaves out the header for agents without groups. @default false */
  readonly omitsEmptyGroups?: boolean | undefined
  /**
   * The origins to which the proxy redirects a form if the sign-in has expired,
   * such as `https://accounts.google.com`. Its own origin is always allowed.
   * @default []
   */
  readonly signInOrigins?: readonly string[] | undefined
}

const NAME = 'a header name without spaces and colons, such as "x-auth-request-email"'

/** The kind of a list of origins. */
export const ORIGINS = listOf<string>(
  'an array of origins, such as https://accounts.google.com',
  (item) => typeof item === 'string' && URL.canParse(item) && new URL(item).origin === item,
)

/**
 * Reads the agent's email address, or another ID, from a header that a proxy in
 * front of the page sets after the agent has signed in.
 *
 * The proxy must remove this header from requests that come from outside, on every path, and
 * the app must not be reachable without the proxy. Otherwise, anyone can claim to be
 * any agent.
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/sign-in.md#a-proxy-without-a-signature
 * @example signIn: trustedHeader('x-auth-request-email')
 */
export function trustedHeader(name: string, options: TrustedHeaderOptions = {}): SignIn {
  if (!isHeaderName(name)) throw invalidOption('trustedHeader', 'the first argument', NAME, name)
  const read = readOptions('trustedHeader', options, {
    groupsHeader: kind<string>('the name of a header', isHeaderName),
    separator: kind<string>('a non-empty string', (value) => typeof value === 'string' && !!value),
    omitsEmptyGroups: withDefault(flag, false),
    signInOrigins: ORIGINS,
  })
  const { groupsHeader, separator, omitsEmptyGroups, signInOrigins = [] } = read
  const readGroups = (list: string | null) => {
    const where = `The header ${groupsHeader}`
    if (list !== null) return splitGroups(list, separator, where)
    if (omitsEmptyGroups) return []
    throw groupsMissing(where)
  }
  return Object.assign(
    (c: Parameters<SignIn>[0]) => {
      const value = c.req.raw.headers.get(name)?.trim()
      // A comma joins two headers of the same name, of which the caller may have sent one.
      if (!value || value.includes(','))
        throw new TypeError('The header that the proxy sets is missing.')
      const groups =
        groupsHeader === undefined ? undefined : readGroups(c.req.raw.headers.get(groupsHeader))
      return { id: value, ...(value.includes('@') && { email: value }), groups }
    },
    { signInOrigins },
  )
}
