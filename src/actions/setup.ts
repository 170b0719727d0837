import type { Context } from 'hono'
import { isBinding, readSecrets, type Secrets, usableSecrets } from '../app/secrets.ts'
import type { ActionTestSettings } from '../internal/action-test.ts'
import { DEV_VARIABLE } from '../internal/headers.ts'
import { readProperty } from '../internal/hostile-values.ts'
import { isLoopback } from '../internal/is-loopback.ts'
import { runWithin } from '../internal/user-code.ts'
import { isPublicUrl, type ResolvedActions } from './options.ts'
import { deriveKeys, type Keys, MIN_SECRET_LENGTH } from './token.ts'

/** The path of the page, below the app. */
export const PAGE_PATH = '/actions'

/** The parts of an environment that links and the page use. */
export interface Setup {
  /** The public URL of the page, without a query. */
  readonly pageUrl: string
  /** For the links of one app only. */
  readonly audience: string
  /** The current keys first. */
  readonly keys: readonly [Keys, ...Keys[]]
}

/** A setup, or one sentence for each reason why there is none. */
export type SetupResult = { readonly setup: Setup } | { readonly problems: readonly string[] }

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
    const [base, secrets] = await Promise.all([this.#readBase(env), this.#readSecrets(env, c.env)])
    const url = base ?? own
    if (secrets.length === 0 && isLocal) {
      secrets.push((this.#developmentSecret ??= crypto.randomUUID() + crypto.randomUUID()))
    }
    const problems = this.#describe(url, secrets.length)
    const [first, ...others] = await Promise.all(secrets.map((secret) => this.#keysOf(secret)))
    if (url === undefined || first === undefined) return { problems }
    const pageUrl = url.replace(/\/+$/, '') + PAGE_PATH
    return { setup: { pageUrl, audience: `${pageUrl}#${this.#appName}`, keys: [first, ...others] } }
  }

  /** Lists what is missing, for a host that starts. A missing `publicUrl` may be right on loopback. */
  async listProblems(env: unknown, rawEnv: unknown): Promise<readonly string[]> {
    if (readProperty(rawEnv, DEV_VARIABLE) === '1') return []
    const [base, secrets] = await Promise.all([this.#readBase(env), this.#readSecrets(env, rawEnv)])
    return this.#describe(base, secrets.length)
  }

  #describe(url: string | undefined, secretCount: number): string[] {
    const { secret } = this.#actions
    const variable = isBinding(secret) ? secret.binding : 'the option secret of actions()'
    return [
      ...(url === undefined
        ? [
            'Actions are only available on this machine: publicUrl of actions() is not an http or https URL.',
          ]
        : []),
      ...(secretCount === 0
        ? [
            `Actions are not available: set ${variable} to at least ${MIN_SECRET_LENGTH} characters of printable ASCII (openssl rand -hex 32).`,
          ]
        : []),
    ]
  }

  async #readBase(env: unknown): Promise<string | undefined> {
    const { publicUrl } = this.#actions
    const url = typeof publicUrl === 'function' ? await readSafely(() => publicUrl(env)) : publicUrl
    return isPublicUrl(url) ? url : undefined
  }

  async #readSecrets(env: unknown, rawEnv: unknown): Promise<string[]> {
    const { secret } = this.#actions
    const isConstant = typeof secret === 'string' || Array.isArray(secret)
    const read = (of: unknown): unknown =>
      isConstant ? secret : readSafely(() => readSecrets(secret, of))
    // A schema may have removed a variable that it does not know.
    const found = (await read(env)) ?? (isBinding(secret) ? await read(rawEnv) : undefined)
    return usableSecrets(found as Secrets).filter(({ length }) => length >= MIN_SECRET_LENGTH)
  }

  #keysOf(secret: string): Promise<Keys> {
    let keys = this.#derived.get(secret)
    if (keys === undefined) {
      if (this.#derived.size >= MAX_DERIVED) this.#derived.clear()
      this.#derived.set(secret, (keys = deriveKeys(secret)))
    }
    return keys
  }
}

const MAX_DERIVED = 8

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
  return readProperty(c.env, DEV_VARIABLE) === '1' && isLoopback(new URL(c.req.url).hostname)
}

/** The time of a request, in milliseconds since 1970: that of its test, if there is one. */
export function readNow(test: ActionTestSettings | undefined): number {
  return test?.now?.() ?? Date.now()
}
