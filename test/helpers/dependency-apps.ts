import type { Hono } from 'hono'
import { z } from 'zod/mini'
import { action, actions, anyAgent, memoryReceipts } from '../../src/runtime/actions/index.ts'
import { sectionCache } from '../../src/runtime/cache/index.ts'
import {
  audit,
  healthCheck,
  identify,
  noAuth,
  secretHeader,
  section,
  sidecard,
  text,
} from '../../src/index.ts'

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

/** What is seen: the status, the failures or the outcome, and whether the content of the app. */
type Seen = readonly [status: number, failure: string | null, hasContent: boolean]

const CONTENT: Seen = [200, null, true]

interface Dependency {
  /** A sentence of the documentation, word for word. */
  readonly sentence: string
  seen(behavior: Behavior): Seen
}

/** The dependencies, what the documentation says of each, and what is seen. */
export const DEPENDENCIES: Readonly<Record<string, Dependency>> = {
  'section store': {
    sentence: 'A broken store does not fail requests',
    seen: () => CONTENT,
  },
  source: {
    sentence: '`fetchData` did not return within `timeoutMs`',
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
    sentence: 'A lookup of `identify()` threw, rejected or timed out',
    // What a lookup returns is a match.
    seen: (behavior) =>
      behavior === 'returns garbage'
        ? CONTENT
        : [200, byTime(behavior, 'timeout', 'identity_failed', ''), false],
  },
  secret: {
    sentence:
      'Every request also returns 401 while no secret is set, or if the function that returns the secret throws or times out.',
    seen: () => [401, null, false],
  },
  schema: {
    sentence: 'the app rejects every request with 500',
    seen: () => [500, null, false],
  },
  audit: {
    sentence: 'If an instrument fails, Sidecard logs the error, and the response is not affected.',
    seen: () => CONTENT,
  },
  receipts: {
    sentence: 'Before `run` starts, a receipt is written',
    seen: (behavior) => (behavior === 'is late' ? [200, 'done', true] : [503, 'failed', false]),
  },
  'health source': {
    sentence:
      'A source is not usable if its function throws, rejects, times out, or returns `false`',
    seen: (behavior) => [behavior === 'returns garbage' ? 200 : 503, null, true],
  },
}

function byTime(behavior: Behavior, late: string, thrown: string, garbage: string): string {
  if (behavior === 'throws') return thrown
  return behavior === 'returns garbage' ? garbage : late
}

const SECRET = 'a-secret-of-more-than-thirty-two-characters'

/**
 * Creates an app in which one dependency misbehaves. Its source needs most of the time that
 * `fetchData` has, so that no other dependency may take a part of it.
 */
export function createDependencyApp(broken: string, behavior: Behavior): Hono {
  const use = <T>(dependency: string, valid: () => T): T =>
    dependency === broken ? (BEHAVIORS[behavior](valid()) as T) : valid()
  if (broken === 'health source') return createHealthCheck(() => use(broken, () => true))
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
  const memory = memoryReceipts()
  const receipts = {
    ...memory,
    begin: (one: never, number: number) => use('receipts', () => memory.begin(one, number)),
  }
  const extend = createExtend()
  return sidecard(schema, {
    header: { title: 'Dependencies' },
    name: `${broken} ${behavior}`,
    auth:
      broken === 'secret' ? secretHeader('x-secret', () => use('secret', () => SECRET)) : noAuth(),
    logger: false,
    timeoutMs: 1_900,
    instrument: audit(() => use('audit', () => undefined) as never),
    ...(broken === 'receipts' && {
      actions: actions({
        list: [extend],
        publicUrl: 'https://app.example/',
        secret: SECRET,
        signIn: anyAgent(),
        receipts,
      }),
    }),
    async fetchData(ctx) {
      await new Promise((resolve) => setTimeout(resolve, 500))
      const content = text({ label: 'Plan', value: 'Pro' })
      if (broken === 'source') return use('source', () => [content])
      if (broken === 'receipts') return [content, extend.button({})]
      if (broken === 'lookup') {
        await identify(ctx, { account_id: () => use('lookup', () => ({ id: 'a' })) as never })
      }
      const load = () => use('section', () => text({ label: 'Orders', value: '3' }))
      const options = broken === 'section' ? { timeoutMs: 100 } : { cache, key: ['a'] }
      return [content, section('Orders', load, options)]
    },
  }) as never
}

/** A health check with a second source that is usable, which the response also lists. */
function createHealthCheck(check: () => unknown): Hono {
  const sources = { Broken: check, Pro: () => true }
  return healthCheck({ sources, timeoutMs: 1_000 }) as never
}

function createExtend() {
  return action<object>()({
    name: 'extend',
    label: 'Extend',
    input: z.object({}),
    show: () => [],
    run: () => text({ label: 'Plan', value: 'Pro' }),
  })
}

type Send = (path: string, init: RequestInit) => Response | Promise<Response>

/** Compares what is seen of each app with the documentation, all at once, since most of it waits. */
export async function compareAll(sendTo: (dependency: string, behavior: Behavior) => Send) {
  const rows = await Promise.all(
    Object.entries(DEPENDENCIES).flatMap(([dependency, { seen }]) =>
      (Object.keys(BEHAVIORS) as Behavior[]).map(async (behavior) => {
        const name = `${dependency} ${behavior}`
        const shown = await seeDependency(dependency, sendTo(dependency, behavior))
        return { shown: [name, ...shown], documented: [name, ...seen(behavior)] }
      }),
    ),
  )
  return {
    shown: rows.map(({ shown }) => shown),
    documented: rows.map(({ documented }) => documented),
  }
}

async function seeDependency(dependency: string, send: Send): Promise<Seen> {
  const query = '?request_type=fetch_data&organization_id=o&account_id=a'
  const response = await send(query, { headers: { 'x-secret': SECRET } })
  const body = await response.text()
  if (dependency === 'receipts') return confirm(JSON.parse(body), send)
  return [response.status, response.headers.get('x-sidecard-failure'), body.includes('Pro')]
}

/** Follows the button of a payload, and confirms its action. */
async function confirm(payload: any, send: Send): Promise<Seen> {
  const { search } = new URL(payload.components[1].url)
  const page = await (await send(`actions${search}`, {})).text()
  const read = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
  const fields = ['t', 'form', 'seen'].map((name) => [name, read(name)])
  const response = await send('actions', {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
    body: String(new URLSearchParams(fields)),
  })
  const html = await response.text()
  return [response.status, response.headers.get('x-sidecard-outcome'), html.includes('Pro')]
}
