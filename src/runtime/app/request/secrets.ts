import { consumeRejections } from '../../internal/user-code.ts'

/** One secret, or several during rotation. Missing and blank ones never match. */
export type Secret = string | null | undefined | readonly (string | null | undefined)[]

/** The name of the binding that contains a secret, so that messages can name it. */
export interface SecretBinding {
  readonly binding: string
}

/** Secrets, the name of a binding, or a function that reads them from the bindings. */
export type SecretSource<B> = Secret | SecretBinding | ((env: B) => Secret | PromiseLike<Secret>)

/**
 * The characters of a secret. HTTP clients and servers disagree on others, so such
 * a secret would only match on some runtimes.
 */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/

/** Returns whether a value is a source of secrets. Constant ones must be valid on every runtime. */
export function isSecretSource(source: unknown): boolean {
  if (typeof source === 'function') return true
  if (isBinding(source)) return typeof source.binding === 'string' && source.binding !== ''
  return [source ?? ''].flat().every((each: unknown) => {
    const secret = each ?? ''
    return typeof secret === 'string' && isPrintableAscii(secret)
  })
}

function isPrintableAscii(secret: string): boolean {
  return PRINTABLE_ASCII.test(secret.trim())
}

/** Returns the usable secrets, trimmed. Without one, every request is rejected. */
export function usableSecrets(secrets: Secret): string[] {
  return (Array.isArray(secrets) ? secrets : [secrets])
    .map((secret: unknown) => {
      if (typeof secret === 'string') return secret.trim()
      // A promise is not a secret. If it rejected without a handler, most hosts would exit.
      consumeRejections(secret)
      return ''
    })
    .filter((secret) => secret !== '' && isPrintableAscii(secret))
}

/** Reads secrets from their source. */
export function readSecrets<B>(source: SecretSource<B>, env: B): Secret | PromiseLike<Secret> {
  if (typeof source === 'function') return source(env)
  if (!isBinding(source)) return source
  return (env as Readonly<Record<string, Secret>> | undefined)?.[source.binding]
}

/** Returns whether a source names a binding. */
export function isBinding(source: unknown): source is SecretBinding {
  return typeof source === 'object' && source !== null && !Array.isArray(source)
}

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Returns whether a header can have this name. */
export function isHeaderName(name: unknown): name is string {
  return typeof name === 'string' && HEADER_NAME.test(name)
}
