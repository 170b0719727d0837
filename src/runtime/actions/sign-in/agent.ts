import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { readProperty } from '../../internal/hostile-values.ts'
import type { Setup } from '../links/setup.ts'
import { type DenialError, groupsUnknown, listedGroups, parseGroups } from './groups.ts'

/** The support agent who opened the page of an action, according to the sign-in. */
export interface Agent {
  readonly id: string
  readonly email?: string | undefined
  readonly name?: string | undefined
  /**
   * The agent's groups. Reading them throws if the sign-in does not know them, so that
   * every rule denies the request, even one that only excludes a group.
   */
  readonly groups: readonly string[]
}

/** An agent as a sign-in returns them. Without `groups`, the groups are not known. */
export type IdentifiedAgent = Omit<Agent, 'groups'> & {
  /** The agent's groups; `[]` if there are none, and `undefined` if they are not known. */
  readonly groups?: Agent['groups'] | undefined
}

/** Anyone who has the link; see {@link anyAgent}. */
export const ANYONE: unique symbol = Symbol.for('sidecard.anyone') as never

/** The result of a sign-in: an agent, or a response such as a redirect to the sign-in. */
export type SignInResult = IdentifiedAgent | typeof ANYONE | Response

/**
 * Finds out which agent sent a request, for example from a header that a proxy sets. If
 * it throws, times out or returns something else, the request is denied.
 *
 * @see docs/guides/sign-in.md
 */
export interface SignIn {
  (c: Context): SignInResult | PromiseLike<SignInResult>
  /**
   * The origins to which an expired sign-in redirects a form, such as
   * `https://acme.cloudflareaccess.com`. The page's Content-Security-Policy
   * allows them.
   */
  readonly signInOrigins?: readonly string[] | undefined
  /**
   * Whether the sign-in responds to `POST /actions?sign-out`. If so, the page has a
   * sign-out button. @default false
   */
  readonly canSignOut?: boolean | undefined
}

/**
 * Accepts anyone who has the link, until it expires. `ctx.agent` is `undefined`.
 * Use it only for actions that need no sign-in. A rule that only excludes groups, such
 * as `!ctx.agent?.groups.includes('suspended')`, then allows everyone.
 *
 * @example
 * signIn: anyAgent()
 */
export function anyAgent(): SignIn {
  return () => ANYONE
}

/** The agent during development, whose groups are always known. */
const DEVELOPER = { id: 'developer', email: 'developer@localhost', name: 'Developer', groups: [] }

/** The cookie with the agent whom a developer chose, for the form of the page. */
const COOKIE = 'sidecard-agent'

/**
 * Returns the agent during development: {@link DEVELOPER}, or the one in the
 * page's query, which the workspace sets, such as `agent=ann@acme.example,finance`
 * with an email and groups.
 */
export function readDeveloper(c: Context): IdentifiedAgent {
  const kept = getCookie(c, COOKIE) ?? ''
  const chosen = c.req.method === 'POST' ? kept : (c.req.query('agent') ?? '')
  if (chosen !== kept) {
    setCookie(c, COOKIE, chosen, { path: c.req.path, httpOnly: true, sameSite: 'Lax' })
  }
  const [email = '', ...groups] = chosen.split(',').map((part) => part.trim())
  return toAgent({ email, groups }) ?? DEVELOPER
}

const MAX_LENGTH = 320

/**
 * Returns an agent with only its known fields, or `undefined` if the value is not an
 * agent. @throws {DenialError} if the groups have a different type
 */
export function toAgent(value: unknown): IdentifiedAgent | undefined {
  const email = readText(value, 'email')
  const id = readText(value, 'id') ?? email
  if (id === undefined) return undefined
  const name = readText(value, 'name')
  const groups = parseGroups(readProperty(value, 'groups'), 'The property groups of the agent')
  return {
    id,
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
    ...(groups !== undefined && { groups }),
  }
}

function readText(value: unknown, key: string): string | undefined {
  const text = readProperty(value, key)
  return typeof text === 'string' && text.trim() !== '' && text.length <= MAX_LENGTH
    ? text
    : undefined
}

/** Returns the name of an agent on the page. Two people can have the same name, so it has the ID. */
export function nameAgent({ id, email, name }: Pick<Agent, 'id' | 'email' | 'name'>): string {
  return email ?? (name === undefined ? id : `${name} (${id})`)
}

/** The groups that a rule has asked for, and the error if it has read unknown ones. */
export interface AskedGroups {
  readonly names: Set<string>
  error?: DenialError | undefined
}

/**
 * Returns the agent for user code, whose groups throw if they are not known. A rule may
 * catch this, so the error is also noted.
 *
 * @param canCopy whether a copy leaves unknown groups out. Otherwise, copying throws as well.
 */
export function exposeAgent(agent: IdentifiedAgent, asked: AskedGroups, canCopy: boolean): Agent {
  const { groups, ...rest } = agent
  const reject = (problem: string): never => {
    asked.error = groupsUnknown(problem)
    throw asked.error
  }
  if (groups === undefined) {
    const get = () => reject(NOT_NAMED)
    return Object.defineProperty(rest, 'groups', { get, enumerable: !canCopy }) as Agent
  }
  const names = listedGroups.get(groups)
  const note = (name: unknown) => {
    if (typeof name === 'string') asked.names.add(name)
    if (names?.includes(name as string) !== false) return
    reject(`Add ${String(name)} to the option groups of openIdConnect().`)
  }
  const list = [...groups]
  for (const method of ['includes', 'indexOf'] as const) {
    const value = (name: string, from?: number) => (note(name), groups[method](name, from))
    Object.defineProperty(list, method, { value })
  }
  return { ...rest, groups: list }
}

const NOT_NAMED =
  'Set groups of openIdConnect(), groupsClaim of signedHeader() or cloudflareAccess(), or groupsHeader of trustedHeader(), or return groups from your own function.'

/** The data of one request to the page, for a sign-in with its own cookies. */
export interface SignInRequest extends Setup {
  /** The bindings: as the schema returns them, and as the host passes them. */
  readonly env: unknown
  readonly rawEnv: unknown
  readonly nowMs: number
  readonly signal: AbortSignal
}

/**
 * The data of each request to its sign-in. `signIn` only receives Hono's context, so that it can
 * call another sign-in.
 */
export const signInRequests = new WeakMap<Context, SignInRequest>()

/** @throws {TypeError} outside of the page of the actions */
export function signInRequestOf(c: Context): SignInRequest {
  const request = signInRequests.get(c)
  if (request !== undefined) return request
  throw new TypeError('openIdConnect() works only as the option signIn of actions().')
}

/** The query parameter of a form that signs out. */
export const SIGN_OUT = 'sign-out'

/** The query parameter of the page after a sign-out. */
export const SIGNED_OUT = 'signed-out'
