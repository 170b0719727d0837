import type { Context } from 'hono'
import {
  isBinding,
  readSecrets,
  type Secret,
  type SecretSource,
  usableSecrets,
} from '../../app/request/secrets.ts'
import type { ActionTestSettings } from '../../internal/action-test.ts'
import { isUri } from '../../contract/uri.ts'
import { isLocalSocket, readRawPath } from '../../internal/connection.ts'
import { DEV_VARIABLE } from '../../internal/headers.ts'
import { readProperty } from '../../internal/hostile-values.ts'
import { isLoopback } from '../../internal/is-loopback.ts'
import { SETUP_PROBLEMS } from '../../internal/setup.ts'
import { runWithin } from '../../internal/user-code.ts'
import { deriveKeys, type Keys, MIN_SECRET_LENGTH } from './crypto.ts'

/** The path of the page, below the app. */
export const PAGE_PATH = '/actions'

/** The options of `actions()` for its links. Inside, the bindings are not typed. */
interface SetupOptions {
  readonly publicUrl?: string | ((env: unknown) => unknown) | undefined
  readonly secret: SecretSource<unknown>
  readonly receiptSecret?: SecretSource<unknown>
  readonly signIn: object
}

/** Returns whether a text is a URL that `/actions` can follow. */
export function isPublicUrl(value: unknown): value is string {
  return (
    typeof value === 'string' && /^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/i.test(value) && isUri(value)
  )
}

/** The configuration of one environment that links and the page use. */
export interface Setup {
  /** The public URL of the page, without a query. */
  readonly pageUrl: string
  /** The path of that URL. */
  readonly path: string
  /** The audience of links, which binds them to one app. */
  readonly audience: string
  /** The current keys first. */
  readonly keys: readonly [Keys, ...Keys[]]
  /** The keys of receipts, the current one first. */
  readonly receiptKeys: readonly [Keys, ...Keys[]]
}

/** The problems that a sign-in of this package finds in its own options. */
type SignInProblems = (env: unknown, rawEnv: unknown) => Promise<readonly string[]>

/** The timeout of a function in the options. */
const SETUP_MS = 2_000

export type SetupReader = ReturnType<typeof createSetupReader>

/** Creates the function that reads the setup of an app, for a request or at start. */
export function createSetupReader(
  { publicUrl, secret, receiptSecret, signIn }: SetupOptions,
  appName: string,
) {
  /** Derived keys, which are cached because deriving them costs as much as creating a link. */
  const derived = new Map<string, Promise<Keys>>()
  let developmentSecret: string | undefined

  /** Reads the options that depend on the bindings, without unusable values. */
  async function find(env: unknown, rawEnv: unknown) {
    const read = async (source: SecretSource<unknown>) => {
      const found = await findSecrets(source, env, rawEnv)
      return found.filter(({ length }) => length >= MIN_SECRET_LENGTH)
    }
    const [url, secrets, receiptSecrets] = await Promise.all([
      typeof publicUrl === 'function' ? readSafely(() => publicUrl(env)) : publicUrl,
      read(secret),
      receiptSecret === undefined ? undefined : read(receiptSecret),
    ])
    return { url: isPublicUrl(url) ? url : undefined, secrets, receiptSecrets }
  }

  function describe({
    url,
    secrets,
    receiptSecrets,
  }: Awaited<ReturnType<typeof find>>): readonly string[] {
    const missing = (option: string, of: unknown) => {
      const variable = isBinding(of) ? of.binding : `the option ${option} of actions()`
      return `Actions are not available: set ${variable} to at least ${MIN_SECRET_LENGTH} characters of printable ASCII (openssl rand -hex 32).`
    }
    return [
      ...(url === undefined ? [NOT_PUBLIC] : []),
      ...(secrets.length === 0 ? [missing('secret', secret)] : []),
      ...(receiptSecrets?.length === 0 ? [missing('receiptSecret', receiptSecret)] : []),
    ]
  }

  async function deriveAll(secrets: readonly string[]): Promise<Setup['keys'] | undefined> {
    if (derived.size > MAX_DERIVED) derived.clear()
    for (const each of secrets) if (!derived.has(each)) derived.set(each, deriveKeys(each))
    const [first, ...others] = await Promise.all(secrets.map((each) => derived.get(each)!))
    return first && [first, ...others]
  }

  return {
    /**
     * Reads the setup for a request to the app or to its page, or a sentence for each reason why
     * there is none. Never rejects.
     */
    async read(c: Context, env: unknown, test: ActionTestSettings | undefined) {
      const found = await find(env, c.env)
      const isLocal = test !== undefined || isLoopback(new URL(c.req.url).hostname)
      const url = found.url ?? (isLocal ? requestUrl(c) : undefined)
      // Tests and development need no secret in a variable.
      const isFree = test !== undefined || isDevelopment(c)
      if (isFree && found.secrets.length === 0) {
        found.secrets.push((developmentSecret ??= crypto.randomUUID() + crypto.randomUUID()))
      }
      const keys = await deriveAll(found.secrets)
      const { receiptSecrets = [] } = found
      const isShared = receiptSecrets.length === 0 && (isFree || receiptSecret === undefined)
      const receiptKeys = isShared ? keys : await deriveAll(receiptSecrets)
      if (url === undefined || keys === undefined || receiptKeys === undefined) {
        return { setup: undefined, problems: describe({ ...found, url }) }
      }
      const pageUrl = url.replace(/\/+$/, '') + PAGE_PATH
      const { pathname: path } = new URL(pageUrl)
      const audience = `${pageUrl}#${appName}`
      const setup: Setup = { pageUrl, path, audience, keys, receiptKeys }
      return { setup, problems: [] }
    },

    /**
     * Lists the problems of the setup, for a host that starts. On loopback,
     * `publicUrl` may be missing.
     */
    async listProblems(env: unknown, rawEnv: unknown): Promise<readonly string[]> {
      const found = await find(env, rawEnv)
      if (readProperty(rawEnv, DEV_VARIABLE) === '1') return describeDevelopment(found.url, rawEnv)
      const { [SETUP_PROBLEMS]: list } = signIn as { [SETUP_PROBLEMS]?: SignInProblems }
      return [...describe(found), ...((await list?.(env, rawEnv)) ?? [])]
    },
  }
}

const NOT_PUBLIC =
  'Actions are only available on this machine: publicUrl of actions() is not an http or https URL.'

/** Returns a problem if `SIDECARD_DEV=1` is set on a public server or in production. */
function describeDevelopment(base: string | undefined, rawEnv: unknown): readonly string[] {
  const isPublic = base !== undefined && !isLoopback(new URL(base).hostname)
  const isRisky = isPublic || readProperty(rawEnv, 'NODE_ENV') === 'production'
  return isRisky ? [DEVELOPMENT_PROBLEM] : []
}

const DEVELOPMENT_PROBLEM = `${DEV_VARIABLE}=1 signs everyone on this machine in as the developer, for the pages of actions. Remove it on a server.`

const MAX_DERIVED = 8

/** Reads secrets. A schema of the bindings may have removed a variable that it does not know. */
export async function findSecrets<B>(
  secret: SecretSource<B>,
  env: unknown,
  rawEnv: unknown,
): Promise<string[]> {
  const isConstant = typeof secret === 'string' || Array.isArray(secret)
  const read = (of: unknown): unknown =>
    isConstant ? secret : readSafely(() => readSecrets(secret, of as B))
  const found = (await read(env)) ?? (isBinding(secret) ? await read(rawEnv) : undefined)
  return usableSecrets(found as Secret)
}

async function readSafely(run: () => unknown): Promise<unknown> {
  try {
    return await runWithin(SETUP_MS, run)
  } catch {
    return undefined
  }
}

/** Returns the URL of a request without its query, for the app or for its page. */
export function requestUrl(c: Context): string {
  const [url = ''] = c.req.url.split(/[?#]/)
  return url.endsWith(PAGE_PATH) ? url.slice(0, -PAGE_PATH.length) : url.replace(/\/+$/, '')
}

/** Returns whether a developer runs the app on their own machine. */
export function isDevelopment(c: Context): boolean {
  if (readProperty(c.env, DEV_VARIABLE) !== '1') return false
  // The Host header can be forged, so the socket is checked as well, where the runtime exposes it.
  return isLoopback(new URL(c.req.url).hostname) && isLocalSocket(c.req.raw) !== false
}

/**
 * Returns whether the request line contains the literal path of the page.
 * Otherwise, a proxy may not recognize the path, such as `/%61ctions`, and let the
 * request pass.
 */
export function isPagePath(c: Context): boolean {
  const path = readRawPath(c.req.raw)
  return path.endsWith(PAGE_PATH) && new URL(path, 'http://localhost').pathname === path
}

/** Returns the time of a request, in milliseconds since 1970. A test may set it. */
export function readNow(test: ActionTestSettings | undefined): number {
  return test?.now?.() ?? Date.now()
}
