import type { Context } from 'hono'
import { isHeaderName } from '../../app/request/secrets.ts'
import { isDoubled } from '../../internal/connection.ts'
import { flag, invalidOption, kind, readOptions, withDefault } from '../../internal/read-options.ts'
import type { IdentifiedAgent, SignIn } from './agent.ts'
import { groupsMissing, splitGroups } from './groups.ts'
import { ORIGINS } from './signed-header.ts'

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

const KINDS = {
  groupsHeader: kind<string>('the name of a header', isHeaderName),
  separator: kind<string>('a non-empty string', (value) => typeof value === 'string' && !!value),
  omitsEmptyGroups: withDefault(flag, false),
  signInOrigins: ORIGINS,
}

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
  const read = readOptions('trustedHeader', options, KINDS)
  const { groupsHeader, separator, omitsEmptyGroups, signInOrigins } = read
  const readGroups = (request: Request) => {
    if (groupsHeader === undefined) return undefined
    const list = readHeader(request, groupsHeader)
    const where = `The header ${groupsHeader}`
    if (list !== null) return splitGroups(list, separator, where)
    if (omitsEmptyGroups) return []
    throw groupsMissing(where)
  }
  const signIn = ({ req: { raw } }: Context): IdentifiedAgent => {
    const value = readHeader(raw, name)?.trim()
    if (!value) throw new TypeError('The header that the proxy sets is missing.')
    // A comma joins two headers of the same name, and the caller may have sent one of them.
    if (value.includes(',')) throw doubled(name)
    return { id: value, ...(value.includes('@') && { email: value }), groups: readGroups(raw) }
  }
  return Object.assign(signIn, { signInOrigins })
}

/** Reads a header once. Proxies write UTF-8, and `Headers` has its bytes as characters. */
function readHeader(request: Request, name: string): string | null {
  if (isDoubled(request, name)) throw doubled(name)
  const value = request.headers.get(name)
  if (value === null || !/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(value)) return value
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return value
  }
}

function doubled(name: string): TypeError {
  return new TypeError(
    `The request contains the header ${name} twice: the proxy must remove it from outside requests.`,
  )
}
