import { describeType } from '../../contract/explain.ts'
import { closestMatch } from '../../internal/closest-match.ts'
import { constantTimeEqual } from '../../internal/constant-time-equal.ts'
import { isThenable } from '../../internal/hostile-values.ts'
import { hasMethods, invalidOption, kind } from '../../internal/read-options.ts'
import { callUserCode, consumeRejections, runWithin } from '../../internal/user-code.ts'
import {
  isBinding,
  isHeaderName,
  isSecretSource,
  readSecrets,
  type SecretBinding,
  type Secret,
  type SecretSource,
  usableSecrets,
} from './secrets.ts'

/**
 * The result of an authentication: `granted`; `denied` (the request has no
 * secret, or a wrong one); `unconfigured` (the app has no secret, so every
 * request is rejected).
 */
export type AuthResult = 'granted' | 'denied' | 'unconfigured'

/**
 * A method of authentication, for every request including the handshake. If it throws, the
 * request is rejected.
 *
 * @see docs/contract.md#authentication
 */
export interface Auth<in B = unknown> {
  readonly authenticate: (request: Request, env: B) => AuthResult | PromiseLike<AuthResult>
  /** Returns the fix for `unconfigured`, for the log. */
  readonly setupHint?: (env: B) => string
}

/** The kind of the option `auth`. */
export const authKind = kind('secretHeader(…) or noAuth()', (value) =>
  hasMethods(value, 'authenticate'),
)

const HEADER_EXAMPLE = 'a header name without spaces and colons, such as "x-sidecard-secret"'
const SECRET_SOURCES =
  "printable ASCII (openssl rand -hex 32) in a string, an array of strings, a function of the bindings, or { binding: 'SIDECARD_SECRET' }"

/**
 * Requires a secret in a custom header, which is compared in constant time. Every
 * request is rejected until a secret is set.
 *
 * @param name the name of the header, in any letter case, as configured on the
 * custom app
 * @param secret printable ASCII; several during rotation; a function of the
 * bindings; or `{ binding }`, which lets messages name the variable
 * @throws {SidecardError} `invalid_options` for an invalid header name or secret
 * @see docs/guides/authentication.md
 * @example
 * auth: secretHeader('x-sidecard-secret', (env: Env) => [env.SIDECARD_SECRET, env.SIDECARD_SECRET_OLD])
 */
export function secretHeader(name: string, secret: Secret | SecretBinding): Auth
export function secretHeader<B>(
  name: string,
  secret: (env: B) => Secret | PromiseLike<Secret>,
): Auth<B>
export function secretHeader<B>(name: string, secret: SecretSource<B>): Auth<B> {
  if (!isHeaderName(name)) {
    throw invalidOption('secretHeader', 'the first argument', HEADER_EXAMPLE, name)
  }
  if (!isSecretSource(secret)) {
    throw invalidOption('secretHeader', 'the secret', SECRET_SOURCES, secret)
  }
  return {
    authenticate: (request, env) => {
      const compare = (value: Secret): AuthResult => {
        const secrets = usableSecrets(value)
        if (secrets.length === 0) return 'unconfigured'
        const received = request.headers.get(name) ?? ''
        let granted = false
        for (const each of secrets) granted = constantTimeEqual(received, each) || granted
        return granted ? 'granted' : 'denied'
      }
      const value = readSecrets(secret, env)
      return isThenable(value) ? Promise.resolve(value).then(compare) : compare(value)
    },
    setupHint: (env) => createSetupHint(name, secret, env),
  }
}

/**
 * Accepts every request: anyone who knows the URL can read the responses. Use it
 * only for apps without private data.
 *
 * @example
 * sidecard({ header: { title: 'Status' }, auth: noAuth(), fetchData: () => [divider()] })
 */
export function noAuth(): Auth {
  return { authenticate: () => 'granted' }
}

/** Returns why a value that is set is not a secret, and the fix, without the value. */
function explainUnusable(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') {
    return value.trim() === ''
      ? undefined
      : 'is not printable ASCII. Generate one with: openssl rand -hex 32'
  }
  return hasMethods(value, 'get')
    ? 'is an object with get(). Pass (env) => env.SECRET.get().'
    : `is ${describeType(value)}, expected a string.`
}

/**
 * Returns the message that no secret is set, and how to set one. It names
 * variables, never values.
 */
function createSetupHint<B>(header: string, secret: SecretSource<B>, env: B): string {
  const where = `for header "${header.toLowerCase()}"`
  const isNamed = isBinding(secret)
  const variable = isNamed
    ? secret.binding
    : typeof secret === 'function'
      ? 'the variable that the secret function reads'
      : 'it'
  const value = callUserCode(() => readSecrets(secret, env))
  consumeRejections(value)
  const unusable = [value].flat().map(explainUnusable).find(Boolean)
  if (unusable !== undefined) {
    const owner = isNamed ? variable : 'The return value of the secret function'
    return `The secret ${where} is unusable: all requests are rejected. ${owner} ${unusable}`
  }
  const others = isNamed ? Object.keys(env ?? {}).filter((name) => name !== variable) : []
  const similar = closestMatch(variable, others)
  const found = similar === undefined ? '' : ` ${similar} is set: did you mean that name?`
  const command = `npx wrangler secret put${isNamed ? ` ${variable}` : ''}`
  return `No secret is set ${where}: all requests are rejected. Set ${variable} to printable ASCII (Workers: ${command}; Node: an environment variable).${found}`
}

/** Returns the problems of an authentication's configuration, one line each. Never rejects. */
export async function listAuthProblems<B>(
  auth: Auth<B>,
  env: B,
  timeoutMs: number,
): Promise<readonly string[]> {
  try {
    const request = new Request('http://localhost/')
    const result = await runWithin(timeoutMs, () => auth.authenticate(request, env))
    if (result !== 'unconfigured') return []
    return [auth.setupHint?.(env) ?? 'No secret is set: all requests are rejected.']
  } catch {
    return []
  }
}
