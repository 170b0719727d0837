import { audit, identify, noAuth, secretHeader, section, sidecard, text } from '../../src/index.ts'
import { payloadCache, sectionCache } from '../../src/cache/index.ts'

/** How a dependency behaves. `valid` is what it should return. */
export const BEHAVIORS = {
  hangs: () => new Promise(() => undefined),
  throws: () => {
    throw new Error('down')
  },
  'returns garbage': () => 7,
  'is late': (valid: unknown) => new Promise((resolve) => setTimeout(resolve, 4_000, valid)),
} as const

export type Behavior = keyof typeof BEHAVIORS

/** What the service sees: the status, the failures, and whether the content of the app. */
type Seen = readonly [status: number, failure: string | null, hasContent: boolean]

const CONTENT: Seen = [200, null, true]

/** The dependencies, what the documentation says of each, and what the service sees. */
export const DEPENDENCIES: Readonly<
  Record<string, { readonly sentence: string; seen(behavior: Behavior): Seen }>
> = {
  'payload store': {
    sentence: 'A broken store does not fail or slow requests',
    seen: () => CONTENT,
  },
  'section store': {
    sentence: 'A broken store does not fail or slow requests',
    seen: () => CONTENT,
  },
  source: {
    sentence: 'the agent sees a failure card',
    seen: (behavior) => [
      200,
      byTime(behavior, 'timeout', 'callback_failed', 'invalid_payload'),
      false,
    ],
  },
  section: {
    sentence: 'The rest of the payload is shown',
    seen: (behavior) => [
      200,
      `${byTime(behavior, 'section_timeout', 'section_failed', 'section_failed')};component=1`,
      true,
    ],
  },
  lookup: {
    sentence: 'It never guesses: a failed lookup does not fall through',
    // What a lookup returns is a match.
    seen: (behavior) =>
      behavior === 'returns garbage'
        ? CONTENT
        : [200, byTime(behavior, 'timeout', 'identity_failed', ''), false],
  },
  secret: { sentence: 'rejected with 401', seen: () => [401, null, false] },
  schema: { sentence: 'every request is rejected', seen: () => [500, null, false] },
  audit: { sentence: 'An instrument that fails affects nothing', seen: () => CONTENT },
}

function byTime(behavior: Behavior, late: string, thrown: string, garbage: string): string {
  if (behavior === 'throws') return thrown
  return behavior === 'returns garbage' ? garbage : late
}

export const SECRET = 'a-secret'

/**
 * Creates an app in which one dependency misbehaves. Its source needs most of the time that
 * `fetchData` has, so that no other dependency may take a part of it.
 */
export function createDependencyApp(broken: string, behavior: Behavior) {
  const use = <T>(dependency: string, valid: () => T): T =>
    dependency === broken ? (BEHAVIORS[behavior](valid()) as T) : valid()
  const storeOf = (dependency: string) => ({
    get: () => use(dependency, () => null),
    set: () => use(dependency, () => undefined),
  })
  const limits = { ttlSeconds: 60, storeTimeoutMs: 1_500 }
  const cache = sectionCache({
    name: `${broken} ${behavior} ${crypto.randomUUID()}`,
    store: storeOf('section store'),
    ...limits,
  })
  const schema = {
    '~standard': {
      version: 1 as const,
      vendor: 'test',
      validate: (value: unknown) => use('schema', () => ({ value: value as object })),
    },
  }
  return sidecard(schema, {
    header: { title: 'Dependencies' },
    name: `${broken} ${behavior}`,
    auth:
      broken === 'secret' ? secretHeader('x-secret', () => use('secret', () => SECRET)) : noAuth(),
    logger: false,
    timeoutMs: 1_900,
    instrument: audit(() => use('audit', () => undefined) as never),
    cache: payloadCache({ store: storeOf('payload store'), ...limits }),
    async fetchData(ctx) {
      await new Promise((resolve) => setTimeout(resolve, 500))
      const content = text({ label: 'Plan', value: 'Pro' })
      if (broken === 'source') return use('source', () => [content])
      if (broken === 'lookup') {
        await identify(ctx, { account_id: () => use('lookup', () => ({ id: 'a' })) as never })
      }
      const load = () => use('section', () => text({ label: 'Orders', value: '3' }))
      const options = broken === 'section' ? { timeoutMs: 100 } : { cache, key: [] }
      return [content, section('Orders', load, options)]
    },
  })
}

/** Sends the request of the matrix, and returns what the service sees. */
export async function seeDependency(
  fetchFrom: (query: string, init: RequestInit) => Response | Promise<Response>,
): Promise<Seen> {
  const query = '?request_type=fetch_data&account_id=a'
  const response = await fetchFrom(query, { headers: { 'x-secret': SECRET } })
  const body = await response.text()
  return [response.status, response.headers.get('x-sidecard-failure'), body.includes('Pro')]
}
