import type { Context } from 'hono'
import { readProperty } from '../internal/hostile-values.ts'

/** The support agent who opened the page of an action, according to the sign-in. */
export interface Agent {
  readonly id: string
  readonly email?: string | undefined
  readonly name?: string | undefined
}

/** Anyone who has the link; see {@link anyAgent}. */
export const ANYONE: unique symbol = Symbol.for('sidecard.anyone') as never

/** The result of a sign-in: an agent, or a response such as a redirect to the sign-in. */
export type SignIn = Agent | typeof ANYONE | Response

/**
 * Finds out which agent sent a request, for example from a header that a proxy sets. If
 * it throws, times out or returns something else, the request is denied.
 *
 * @see docs/guides/actions.md#sign-in
 */
export interface AgentSource {
  (c: Context): SignIn | PromiseLike<SignIn>
  /**
   * The origins to which an expired sign-in redirects a form, such as
   * `https://acme.cloudflareaccess.com`. The page's Content-Security-Policy
   * allows them.
   */
  readonly signInOrigins?: readonly string[] | undefined
}

/**
 * Accepts anyone who has the link, until it expires. `ctx.agent` is `undefined`.
 * For actions that need no sign-in.
 *
 * @example
 * agent: anyAgent()
 */
export function anyAgent(): AgentSource {
  return () => ANYONE
}

/** The agent during development. */
export const DEVELOPER: Agent = {
  id: 'developer',
  email: 'developer@localhost',
  name: 'Developer',
}

const MAX_LENGTH = 320

/** Returns an agent with only its known fields, or `undefined` if a value is none. */
export function toAgent(value: unknown): Agent | undefined {
  const email = readText(value, 'email')
  const id = readText(value, 'id') ?? email
  if (id === undefined) return undefined
  const name = readText(value, 'name')
  return { id, ...(email !== undefined && { email }), ...(name !== undefined && { name }) }
}

function readText(value: unknown, key: string): string | undefined {
  const text = readProperty(value, key)
  return typeof text === 'string' && text.trim() !== '' && text.length <= MAX_LENGTH
    ? text
    : undefined
}

/** Returns the name by which the page calls an agent. */
export function nameAgent({ id, email, name }: Agent): string {
  return email ?? name ?? id
}
