import type { Context } from 'hono'
import {
  isBinding,
  readSecrets,
  type Secret,
  type SecretSource,
  usableSecrets,
} from '../app/secrets.ts'
import type { ActionTestSettings } from '../internal/action-test.ts'
import { isLocalSocket, readRawPath } from '../internal/connection.ts'
import { DEV_VARIABLE } from '../internal/headers.ts'
import { readProperty } from '../internal/hostile-values.ts'
import { isLoopback } from '../internal/is-loopback.ts'
import { SETUP_PROBLEMS } from '../internal/setup.ts'
import { runWithin } from '../internal/user-code.ts'
import { isPublicUrl, type ResolvedActions } from './options.ts'
import { deriveKeys, type Keys, MIN_SECRET_LENGTH } from './token.ts'

/** The path of the page, below the app. */
export const PAGE_PATH = '/actions'

/** The parts of an environment that links and the page use. */
export interface Setup {
  /** The public URL of the page, without a query. */
  readonly pageUrl: string
  /** The path of that URL. */
  readonly path: string
  /** For the links of one app only. */
  readonly audience: string
  /** The current keys first. */
  readonly keys: readonly [Keys, ...Keys[]]
  /** For receipts, the current one first. */
  readonly receiptKeys: readonly [Keys, ...Keys[]]
}

/** A setup, or one sentence for each reason why there is none. */
export type SetupResult = { readonly setup: Setup } | { readonly problems: readonly string[] }

/** A sign-in of this package may need more. */
type SignInProblems = (env: unknown, rawEnv: unknown) => Promise<readonly string[]>

/** How long a function of the options may take. */
const SETUP_MS = 2_000

/** Reads the setup of an app, for a request or at start. */
export class SetupReader {
  readonly #actions: ResolvedActions
  readonly #appName: string
  /** Deriving keys costs as much as a link. */
  readonly #derived = new Map<string, Promise<Keys>>()
  #developmentSecret: string | undefined

  constructor(actions: ResolvedActions, appName: string) {
    this.#actions = actions
    this.#appName = appName
  }

  /** Reads the setup for a request to the app or to its page. Never rejects. */
  async read(c: Context, env: unknown, test: ActionTestSettings | undefined): Promise<SetupResult> {
    const isTest = test !== undefined
    const isLocal = isDevelopment(c) || isTest
    const own = isTest || isLoopback(new URL(c.req.url).hostname) ? ownUrl(c) : undefined
    const { secret, receiptSecret } = this.#actions
    const [base, secrets, receiptSecrets] = await Promise.all([
      this.#readBase(env),
      this.#readSecrets(secret, env, c.env),
      receiptSecret === undefined
        ? Promise.resolve<string[]>([])
        : this.#readSecrets(receiptSecret, env, c.env),
    ])
    const url = base ?? own
    if (secrets.length === 0 && isLocal) {
      secrets.push((this.#developmentSecret ??= crypto.randomUUID() + crypto.randomUUID()))
    }
    // In development, a second variable is no more needed than the first one.
    if (receiptSecrets.length === 0 && (isLocal || receiptSecret === undefined)) {
      receiptSecrets.push(...secrets)
    }
    const problems = this.#describe(url, secrets.length, receiptSecrets.length)
    const keys = await this.#keysOf(secrets)
    const receiptKeys = await this.#keysOf(receiptSecrets)
    if (url === undefined || keys === undefined || receiptKeys === undefined) return { problems }
    const pageUrl = url.replace(/\/+$/, '') + PAGE_PATH
    const { pathname: path } = new URL(pageUrl)
    return { setup: { pageUrl, path, audience: `${pageUrl}#${this.#appName}`, keys, receiptKeys } }
  }

  /** Lists what is missing, for a host that starts. A missing `publicUrl` may be right on loopback. */
  async listProblems(env: unknown, rawEnv: unknown): Promise<readonly string[]> {
    const { secret, receiptSecret = secret } = this.#actions
    const base = await this.#readBase(env)
    if (readProperty(rawEnv, DEV_VARIABLE) === '1') return describeDevelopment(base, rawEnv)
    const [secrets, receiptSecrets] = await Promise.all([
      this.#readSecrets(secret, env, rawEnv),
      this.#readSecrets(receiptSecret, env, rawEnv),
    ])
    const signIn = this.#actions.signIn as { [SETUP_PROBLEMS]?: SignInProblems }
    return [
      ...this.#describe(base, secrets.length, receiptSecrets.length),
      ...((await signIn[SETUP_PROBLEMS]?.(env, rawEnv)) ?? []),
    ]
  }

  #describe(url: string | undefined, secretCount: number, receiptSecretCount: number): string[] {
    const { secret, receiptSecret } = this.#actions
    const missing = (option: string, of: unknown) => {
      const variable = isBinding(of) ? of.binding : `the option ${option} of actions()`
      return `Actions are not available: set ${variable} to at least ${MIN_SECRET_LENGTH} characters of printable ASCII (openssl rand -hex 32).`
    }
    return [
      ...(url === undefined
        ? [
            'Actions are only available on this machine: publicUrl of actions() is not an http or https URL.',
          ]
        : []),
      ...(secretCount === 0 ? [missing('secret', secret)] : []),
      ...(receiptSecret !== undefined && receiptSecretCount === 0
        ? [missing('receiptSecret', receiptSecret)]
        : []),
    ]
  }

  async #readBase(env: unknown): Promise<string | undefined> {
    const { publicUrl } = this.#actions
    const url = typeof publicUrl === 'function' ? await readSafely(() => publicUrl(env)) : publicUrl
    return isPublicUrl(url) ? url : undefined
  }

  async #readSecrets(
    secret: ResolvedActions['secret'],
    env: unknown,
    rawEnv: unknown,
  ): Promise<string[]> {
    const found = await findSecrets(secret, env, rawEnv)
    return found.filter(({ length }) => length >= MIN_SECRET_LENGTH)
  }

  async #keysOf(secrets: readonly string[]): Promise<readonly [Keys, ...Keys[]] | undefined> {
    const [first, ...others] = await Promise.all(secrets.map((secret) => this.#derive(secret)))
    return first && [first, ...others]
  }

  #derive(secret: string): Promise<Keys> {
    let keys = this.#derived.get(secret)
    if (keys === undefined) {
      if (this.#derived.size >= MAX_DERIVED) this.#derived.clear()
      this.#derived.set(secret, (keys = deriveKeys(secret)))
    }
    return keys
  }
}

/** `SIDECARD_DEV=1` signs a developer in, which is no sign-in for a public server. */
function describeDevelopment(base: string | undefined, rawEnv: unknown): readonly string[] {
  const isPublic = base !== undefined && !isLoopback(new URL(base).hostname)
  return isPublic || readProperty(rawEnv, 'NODE_ENV') === 'production'
    ? [
        `${DEV_VARIABLE}=1 signs everyone on this machine in as the developer, for the pages of actions. Remove it on a server.`,
      ]
    : []
}

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
export function ownUrl(c: Context): string {
  const [url = ''] = c.req.url.split(/[?#]/)
  return url.endsWith(PAGE_PATH) ? url.slice(0, -PAGE_PATH.length) : url.replace(/\/+$/, '')
}

/** Whether a developer runs the app on their own machine. */
export function isDevelopment(c: Context): boolean {
  if (readProperty(c.env, DEV_VARIABLE) !== '1') return false
  // Anyone can send a `Host` header, so the socket decides where the host knows it.
  return isLoopback(new URL(c.req.url).hostname) && isLocalSocket(c.req.raw) !== false
}

/**
 * Whether a request line has the path of the page as it is. Otherwise, a proxy could let a path
 * pass that it does not recognize, such as `/%61ctions`.
 */
export function isPagePath(c: Context): boolean {
  const path = readRawPath(c.req.raw)
  return path.endsWith(PAGE_PATH) && new URL(path, 'http://localhost').pathname === path
}

/** The time of a request, in milliseconds since 1970: that of its test, if there is one. */
export function readNow(test: ActionTestSettings | undefined): number {
  return test?.now?.() ?? Date.now()
}
