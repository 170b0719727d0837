import { ACTION_TEST, type ActionTestSettings } from '../../../runtime/internal/action-test.ts'
import { FAILURE_COLLECTOR } from '../../../runtime/internal/failure-detail.ts'
import type { Failure } from '../../../runtime/internal/failure-detail.ts'
import { TRACE_HEADER } from '../../../runtime/internal/headers.ts'
import { isArray, readProperty } from '../../../runtime/internal/hostile-values.ts'
import { hasMethods } from '../../../runtime/internal/read-options.ts'
import { SETUP_PROBLEMS, type SetupProblems } from '../../../runtime/internal/setup.ts'
import { runWithin } from '../../../runtime/internal/user-code.ts'
import type { Exchange } from '../endpoint/exchange.ts'
import type { FetchTarget } from '../endpoint/target.ts'

/** The execution context of Workers and Hono. */
export interface ExecutionContext {
  waitUntil(promise: Promise<unknown>): void
  passThroughOnException(): void
  readonly props: Record<string, unknown>
}

/** An in-process app: a Hono app, a Worker's default export, or any object with `fetch`. */
export interface TestApp {
  // oxlint-disable-next-line typescript/no-explicit-any -- each app has its own bindings type
  fetch(request: Request, env?: any, executionContext?: any): Response | Promise<Response>
}

/** Checks whether a value is an in-process app, not a URL. */
export function isInProcess(app: TestApp | string | URL): app is TestApp {
  return hasMethods(app, 'fetch')
}

type FetchEnv<A> = A extends { fetch(request: Request, env?: infer Env, ...rest: never[]): unknown }
  ? Env
  : unknown

/**
 * Hono types its environment as `Bindings | {}`. The empty member would accept any
 * object, so this type removes it.
 */
type WithoutEmpty<Env> = Env extends unknown ? ({} extends Env ? never : Env) : never

/** The environment bindings of an app. */
export type EnvOfApp<A> = [WithoutEmpty<NonNullable<FetchEnv<A>>>] extends [never]
  ? NonNullable<FetchEnv<A>>
  : WithoutEmpty<NonNullable<FetchEnv<A>>>

/** An in-process app, with its background work and its failures. */
export interface InProcessTarget {
  readonly target: FetchTarget
  /** Returns the failures that the app reported for a response. */
  readonly takeFailures: (exchange: Exchange) => readonly Failure[]
  /** Waits for the promises that the app passed to `waitUntil()`, at most this long. */
  readonly flushWaitUntil: (timeoutMs: number) => Promise<void>
  /** Returns one sentence for each secret or binding that is missing or invalid. */
  readonly findSetupProblems: () => Promise<readonly string[]>
}

/**
 * The maximum number of collected failures. Older ones, such as those of
 * background refreshes, are dropped.
 */
const MAX_COLLECTED = 1_000

interface CollectingBindings {
  readonly bindings: object
  readonly collected: Failure[]
}

/** The bindings of each object that a user passes as `env`. */
const environments = new WeakMap<object, CollectingBindings>()

/**
 * Creates a target that calls an app as Workers do, with bindings that collect its
 * failures. An app caches by the identity of its bindings, so only targets with
 * the same `env` object share a cache.
 */
export function callInProcess(
  app: TestApp,
  env: unknown,
  actionTest: ActionTestSettings = {},
): InProcessTarget {
  const background: Array<Promise<unknown>> = []
  const { bindings, collected } = findBindings(env)

  return {
    target: {
      fetch(request) {
        Object.assign(bindings, env)
        return app.fetch(request, bindings, {
          waitUntil: (promise: Promise<unknown>) => void background.push(promise),
          passThroughOnException: () => undefined,
          props: { [ACTION_TEST]: actionTest },
        })
      },
    },
    takeFailures({ response }) {
      if (response === undefined) return []
      const traceId = response.headers[TRACE_HEADER]
      const isTaken = (failure: Failure) =>
        traceId === undefined ? response.status >= 500 : failure.traceId === traceId
      const taken = collected.filter(isTaken)
      collected.splice(0, Infinity, ...collected.filter((failure) => !isTaken(failure)))
      return taken
    },
    async flushWaitUntil(timeoutMs) {
      await runWithin(timeoutMs, () => settle(background)).catch(() => undefined)
      background.length = 0
    },
    async findSetupProblems() {
      const found = await Promise.allSettled(
        findSetupHooks(app).map(async (list) => list(bindings)),
      )
      return [...new Set(found.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])))]
    },
  }
}

function findBindings(env: unknown): CollectingBindings {
  const owner = typeof env === 'object' && env !== null ? env : {}
  const known = environments.get(owner)
  if (known !== undefined) return known
  const collected: Failure[] = []
  const collect = (failure: Failure) => {
    if (collected.push(failure) > MAX_COLLECTED) collected.shift()
  }
  const bindings = Object.defineProperty({}, FAILURE_COLLECTOR, { value: collect })
  const created = { bindings, collected }
  environments.set(owner, created)
  return created
}

/** Waits for background work, which can start more background work. */
async function settle(background: Array<Promise<unknown>>): Promise<void> {
  while (background.length > 0) {
    // oxlint-disable-next-line no-await-in-loop -- a settled promise may have added others
    await Promise.allSettled(background.splice(0))
  }
}

/** Returns the hooks of an app and of the apps mounted in it, whose handlers Hono wraps. */
function findSetupHooks(app: TestApp): readonly SetupProblems[] {
  const routes = readProperty(app, 'routes')
  const handlers = isArray(routes) ? routes.map((route) => readProperty(route, 'handler')) : []
  const inner = handlers.map((handler) => readProperty(handler, '__COMPOSED_HANDLER'))
  return [app, ...handlers, ...inner].flatMap((owner) => {
    const hook = readProperty(owner, SETUP_PROBLEMS)
    return typeof hook === 'function' ? [hook as SetupProblems] : []
  })
}
