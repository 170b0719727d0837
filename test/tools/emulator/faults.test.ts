import { describe, expect, test } from 'vitest'
import { createClient } from 'sidecard/client'
import { createEmulator, type FaultRule } from 'sidecard/emulator'
import { FAULT_HEADER } from '../../../src/tools/emulator/faults/request-fault.ts'
import { addLargeData } from '../../helpers/large-data.ts'

function start(rules: readonly FaultRule[] = [], seed = 1, fill = addLargeData) {
  const waits: number[] = []
  const emulator = fill(createEmulator({ sleep: async (ms) => void waits.push(ms) }))
  emulator.faults.set(rules, { seed })
  const client = createClient({
    baseUrl: emulator.url,
    accessToken: emulator.accessToken,
    fetch: emulator.fetch,
    retry: { maxRetries: 0 },
  })
  const ask = (fault: string) =>
    emulator.fetch(`${emulator.url}/teams`, {
      headers: { authorization: `Bearer ${emulator.accessToken}`, [FAULT_HEADER]: fault },
    })
  return { emulator, client, ask, waits }
}

const api = (effect: FaultRule['effect'], rest: Partial<FaultRule> = {}): FaultRule => ({
  side: 'api',
  effect,
  ...rest,
})

describe('a rule', () => {
  test('for a status returns it, with Retry-After', async () => {
    const { client } = start([api({ type: 'status', status: 429, retryAfterSeconds: 7 })])
    await expect(client.teams.list()).rejects.toMatchObject({ code: 'api_error', status: 429 })
  })

  test('for a reset breaks the connection', async () => {
    const { client } = start([api({ type: 'reset' })])
    await expect(client.teams.list()).rejects.toMatchObject({ code: 'network_error' })
  })

  test('for a cut-off truncates the body', async () => {
    const { client } = start([api({ type: 'cut_off' })])
    await expect(client.teams.list()).rejects.toMatchObject({ name: 'ClientError' })
  })

  test('for a delay waits, then responds', async () => {
    const { client, waits } = start([api({ type: 'delay', delayMs: 1_500 })])
    expect((await client.teams.list()).data.length).toBe(50)
    expect(waits).toEqual([1_500])
  })

  test('for schema drift changes every object', async () => {
    const { client } = start([api({ type: 'schema_drift' })])
    const { data } = await client.teams.list()
    expect(data.every((team) => 'added_by_drift' in team)).toBe(true)
    expect(data.some(({ name }) => typeof name !== 'string')).toBe(true)
  })

  test.each([
    ['repeat', 'pagination_loop'],
    ['missing', 'invalid_pagination'],
  ] as const)('for bad pagination (%s) results in a typed error', async (kind, code) => {
    const { client } = start([api({ type: 'bad_pagination', kind })])
    await expect(client.teams.list().toArray({ max: 500 })).rejects.toMatchObject({ code })
  })

  test('for one operation does not affect the others', async () => {
    const { client } = start([api({ type: 'status', status: 503 }, { operation: 'listTags' })])
    await expect(client.tags.list()).rejects.toMatchObject({ status: 503 })
    expect((await client.teams.list()).data.length).toBe(50)
  })

  test('ends after its number of times', async () => {
    const { client } = start([api({ type: 'status', status: 503 }, { times: 2 })])
    await expect(client.tags.list()).rejects.toMatchObject({ status: 503 })
    await expect(client.tags.list()).rejects.toMatchObject({ status: 503 })
    expect((await client.tags.list()).data.length).toBe(50)
  })

  test('affects the same requests for the same seed, and others for another seed', async () => {
    const hits = async (seed: number) => {
      const { client } = start([api({ type: 'reset' }, { probability: 0.5 })], seed)
      const results = []
      for (let count = 0; count < 32; count += 1) {
        // oxlint-disable-next-line no-await-in-loop -- the order of the requests is the point
        results.push(
          await client.tags.list().then(
            () => '.',
            () => 'x',
          ),
        )
      }
      return results.join('')
    }
    expect(await hits(7)).toBe(await hits(7))
    expect(await hits(7)).not.toBe(await hits(8))
  })
})

describe('a request header injects a fault', () => {
  const startSmall = () => start([], 1, (emulator) => emulator)

  test.each([
    ['delay=0', 200],
    ['delay=60000', 200],
    ['status=400', 400],
    ['status=418', 418],
    ['status=599', 599],
    [' status = 503 ; retry-after=3', 503],
  ])('%s → %d', async (fault, status) => {
    expect((await startSmall().ask(fault)).status).toBe(status)
  })

  test.each([
    'delay',
    'delay=60001',
    'delay=many',
    'delay=1x',
    'status=200',
    'status=399',
    'status=600',
    'status=',
    'bad_pagination',
    'bad_pagination=twice',
    'hang_up',
    'nonsense',
    '',
  ])('%s is rejected', async (fault) => {
    const response = await startSmall().ask(fault)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      errors: [
        {
          code: 'invalid_fault',
          message:
            'x-sidecard-emulator-fault accepts delay=<ms>, status=<code>, reset, cut_off, schema_drift or bad_pagination=<kind> (lists only).',
        },
      ],
      request_id: expect.stringMatching(/^req_[0-9a-z]{12}$/),
    })
  })

  test('with its duration or its Retry-After', async () => {
    const { ask, waits } = startSmall()
    await ask('delay=1500')
    expect(waits[0]).toBe(1_500)
    const limited = await ask('status=429; retry-after=12')
    expect(limited.headers.get('retry-after')).toBe('12')
    expect(await limited.json()).toMatchObject({
      errors: [{ code: 'injected_fault', message: 'Fault injected by the emulator.' }],
    })
    for (const value of ['status=429', 'status=429; retry-after=x', 'status=429; after=1']) {
      // oxlint-disable-next-line no-await-in-loop -- one request after another
      expect((await ask(value)).headers.get('retry-after')).toBeNull()
    }
  })

  test('with another pagination', async () => {
    const { ask } = startSmall()
    const read = async (fault: string): Promise<any> => (await ask(fault)).json()
    const intact = await read('delay=0')
    const first = btoa('["team",0]')
    expect((await read('bad_pagination=repeat')).pagination).toEqual({
      cursor: first,
      has_next_page: true,
    })
    const { emulator, ask: askLarge } = start()
    const { pagination }: any = await (await askLarge('delay=0')).json()
    const second = await emulator.fetch(
      `${emulator.url}/teams?cursor=${encodeURIComponent(pagination.cursor)}`,
      {
        headers: {
          authorization: `Bearer ${emulator.accessToken}`,
          [FAULT_HEADER]: 'bad_pagination=repeat',
        },
      },
    )
    const repeated: any = await second.json()
    expect(repeated.pagination).toEqual({
      cursor: pagination.cursor,
      has_next_page: true,
    })
    expect((await read('bad_pagination=missing')).pagination).toEqual({ has_next_page: true })
    expect(await read('bad_pagination=empty')).toEqual({
      ...intact,
      data: [],
      request_id: expect.any(String),
    })
  })

  test('with another field missing and another type in each object', async () => {
    const emulator = createEmulator()
    const response = await emulator.fetch(`${emulator.url}/user-roles`, {
      headers: { authorization: `Bearer ${emulator.accessToken}`, [FAULT_HEADER]: 'schema_drift' },
    })
    expect(((await response.json()) as { data: unknown }).data).toEqual([
      { id: 'role_admin', slug: 42, added_by_drift: true },
      { id: 'role_lead', name: 42, added_by_drift: true },
      { id: 'role_agent', slug: 42, added_by_drift: true },
      { id: 'role_requester', name: 42, added_by_drift: true },
    ])
    const redacted = await emulator.fetch(
      `${emulator.url}/issues/iss_1042/messages/msg_1042_1/redact`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${emulator.accessToken}`,
          [FAULT_HEADER]: 'schema_drift',
        },
      },
    )
    const { data } = (await redacted.json()) as { data: object }
    expect(data).toMatchObject({ id: 'msg_1042_1', timestamp: 42, added_by_drift: true })
    expect(data).not.toHaveProperty('thread_id')
  })

  test('into this request only', async () => {
    const { ask, client } = start()
    await expect(ask('reset')).rejects.toThrow(TypeError)
    expect((await client.teams.list()).data.length).toBe(50)
  })
})

test('a reset removes the faults', () => {
  const { emulator } = start([api({ type: 'reset' })])
  emulator.faults.set(emulator.faults.list(), { seed: 7 })
  expect(emulator.faults.seed).toBe(7)
  emulator.faults.set(emulator.faults.list())
  expect(emulator.faults.seed).toBe(7)
  emulator.reset()
  expect([emulator.faults.list(), emulator.faults.seed]).toEqual([[], 1])
})
