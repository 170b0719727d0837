import { describe, expect, test } from 'vitest'
import {
  button,
  card,
  type FetchDataContext,
  identify,
  isSidecardError,
  section,
  text,
} from 'sidecard'
import { IdentityError } from '../../../src/runtime/app/errors.ts'
import { neverResolves } from '../../helpers/app.ts'
import { acme, fetchFrom } from '../../helpers/identify.ts'

describe('a lookup of identify() that fails', () => {
  const ids = { account_id: 'a1', requester_email: 'jane@acme.example' }
  const down = new Error('db down')

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw down
      },
    ],
    ['rejects', () => Promise.reject(down)],
    ['rejects late', () => new Promise((_, reject) => setTimeout(() => reject(down), 5))],
    ['has a rejected promise among its matches', () => [acme, Promise.reject(down)]],
    [
      'is a thenable that rejects',
      () => ({ then: (_: unknown, no: (e: unknown) => void) => no(down) }),
    ],
  ])('is the last one that runs if it %s', async (_, lookup) => {
    const ran: string[] = []
    const { failure, outcome, errors, body } = await fetchFrom(
      (ctx) =>
        identify(ctx, {
          account_id: lookup,
          requester_email: (email) => void ran.push(email),
        }) as never,
      ids,
    )
    expect(failure).toBe('identity_failed')
    expect(outcome).toBeNull()
    expect(errors).toEqual([down])
    expect(ran).toEqual([])
    expect(body).not.toContain('db down')
  })

  test('is the last one that runs if it hangs until the timeout, even if it ends later', async () => {
    const ran: string[] = []
    let finish: (value: null) => void = () => undefined
    let settled: Promise<unknown> = Promise.resolve()
    const { failure } = await fetchFrom(
      (ctx) => {
        settled = identify(ctx, {
          account_id: () => new Promise<null>((resolve) => (finish = resolve)),
          requester_email: (email) => void ran.push(email),
        }).catch((error: unknown) => error)
        return settled as never
      },
      ids,
      { timeoutMs: 20 },
    )
    expect(failure).toBe('timeout')
    finish(null)
    const error = await settled
    expect(error).toBeInstanceOf(IdentityError)
    expect((error as Error).cause).toMatchObject({ name: 'TimeoutError' })
    expect(ran).toEqual([])
  })

  test('is not called after the timeout', async () => {
    const params = { account_id: 'a1' } as FetchDataContext['params']
    const ran: string[] = []
    const ctx = { params, signal: AbortSignal.abort(down) }
    const error: unknown = await identify(ctx, { account_id: (id) => void ran.push(id) }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ code: 'identity_failed', cause: down })
    expect(ran).toEqual([])
  })

  test('is the last one that runs after the timeout of its section, if it has the signal', async () => {
    const ran: string[] = []
    let finish: (value: null) => void = () => undefined
    let settled: Promise<unknown> = Promise.resolve()
    const { failure } = await fetchFrom(
      (ctx) => [
        section(
          'Orders',
          (signal) => {
            const lookups = {
              account_id: () => new Promise<null>((resolve) => (finish = resolve)),
              requester_email: (email: string) => void ran.push(email),
            }
            settled = identify(ctx, lookups, { signal }).catch((error: unknown) => error)
            return settled as never
          },
          { timeoutMs: 10 },
        ),
      ],
      ids,
    )
    expect(failure).toBe('section_timeout;component=0')
    finish(null)
    expect(await settled).toMatchObject({
      code: 'identity_failed',
      cause: { name: 'TimeoutError' },
    })
    expect(ran).toEqual([])
  })

  test('ends at once when its signal is aborted, even if the lookup hangs', async () => {
    const controller = new AbortController()
    const params = { account_id: 'a1' } as FetchDataContext['params']
    const ctx = { params, signal: controller.signal }
    const identifying = identify(ctx, { account_id: neverResolves })
    controller.abort(down)
    await expect(identifying).rejects.toMatchObject({ code: 'identity_failed', cause: down })
  })

  test('removes its listener from the signal', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1
      remove(...args)
    }
    const params = { account_id: 'a1', requester_id: 'r1' } as FetchDataContext['params']
    await identify({ params, signal }, { account_id: () => null, requester_id: () => acme })
    expect(listeners).toBe(0)
  })

  test('shows the children that the option `failed` returns', async () => {
    const admin = button({ label: 'Search', url: 'https://admin.example' })
    const reject = () => Promise.reject(down)
    const replaced = await fetchFrom(
      (ctx) =>
        identify(
          ctx,
          { account_id: reject },
          { failed: ({ via }) => [via === 'account_id' && admin] },
        ) as never,
      ids,
    )
    expect(replaced.failure).toBe('identity_failed')
    expect(replaced.components).toEqual([admin])
    const own = card({ header: { title: 'Search by hand' }, components: [admin] })
    const asCard = await fetchFrom(
      (ctx) => identify(ctx, { account_id: reject }, { failed: () => own }) as never,
      ids,
    )
    expect(asCard.components).toEqual([own])
    const broken = await fetchFrom(
      (ctx) =>
        identify(
          ctx,
          { account_id: reject },
          {
            failed: () => {
              throw new Error('also broken')
            },
          },
        ) as never,
      ids,
    )
    expect(broken.failure).toBe('identity_failed')
    expect(broken.errors).toEqual([down])
  })

  const CONTAINER = 'A lookup returned a container, such as a response. Return its content.'

  test.each<[string, () => unknown, string]>([
    ['a response', () => new Response('{}'), CONTAINER],
    ['a map', () => new Map(), CONTAINER],
    ['lists of matches', () => [[acme]], CONTAINER],
    ['the result of a query', () => ({ rows: [], rowCount: 0 }), CONTAINER],
    [
      'more matches than it may',
      () => Array.from({ length: 10_001 }, () => acme),
      'A lookup returned more than 10000 matches.',
    ],
  ])('says so if it returns %s', async (_, lookup, message) => {
    const { failure, errors } = await fetchFrom(
      (ctx) => identify(ctx, { account_id: lookup }) as never,
      ids,
    )
    expect([failure, (errors[0] as Error).message]).toEqual(['identity_failed', message])
  })

  test('replaces only its section', async () => {
    const { failure, components } = await fetchFrom(
      (ctx) => [
        text({ label: 'Always', value: 'here' }),
        section('Orders', () => identify(ctx, { account_id: () => Promise.reject(down) }) as never),
      ],
      ids,
    )
    expect(failure).toBe('identity_failed;component=1')
    expect(components).toHaveLength(2)
  })

  test('throws an error with a code and the cause, without values of the request', async () => {
    let thrown: unknown
    await fetchFrom(
      async (ctx) => {
        thrown = await identify(ctx, { account_id: () => Promise.reject(down) }).catch(
          (error: unknown) => error,
        )
        return []
      },
      { account_id: 'secret-7' },
    )
    expect(isSidecardError(thrown) && thrown.code).toBe('identity_failed')
    expect(thrown).toMatchObject({ name: 'IdentityError', cause: down })
    expect(String(thrown)).not.toContain('secret-7')
  })
})
