import type { Env } from 'hono'

/** One secret, or several while one is being rotated out. Blank ones never match. */
export type Secrets = string | null | undefined | readonly (string | null | undefined)[]

/** Secrets, or a function that finds them in the environment of the request. */
export type SecretSource<E extends Env> =
  | Secrets
  | ((env: E['Bindings']) => Secrets | Promise<Secrets>)

/** Those of the secrets that can match at all: none is a reason to let nobody in. */
export function usableSecrets(secrets: Secrets): string[] {
  return (Array.isArray(secrets) ? secrets : [secrets]).filter(isUsable)
}

function isUsable(secret: unknown): secret is string {
  return typeof secret === 'string' && secret.trim() !== ''
}

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Whether a header can have this name. */
export function isHeaderName(name: unknown): name is string {
  return typeof name === 'string' && HEADER_NAME.test(name)
}
