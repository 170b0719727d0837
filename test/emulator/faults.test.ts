import { describe, expect, test } from 'vitest'
import { createClient } from 'sidecard/client'
import { createEmulator, FAULT_HEADER, FAULT_PRESETS, type FaultRule } from 'sidecard/emulator'

function start(rules: readonly FaultRule[] = [], seed = 1) {
  const waits: number[] = []
  const emulator = createEmulator({
    pause: async (ms) => void waits.push(ms),
    seed: 'large',
  })
  emulator.faults = { seed, rules }
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
  test('for a status answers it, with Retry-After', async () => {
    const { client } = start([api({ type: 'status', status: 429, retryAfterSeconds: 7 })])
    await expect(client.teams.list()).rejects.toMatchObject({ code: 'api_error', status: 429 })
  })

  test('for a reset breaks the connection as fetch says it', async () => {
    const { client } = start([api({ type: 'reset' })])
    await expect(client.teams.list()).rejects.toMatchObject({ code: 'network_error' })
  })

  test('for a cut-off ends the body in the middle', async () => {
    const { client } = start([api({ type: 'cut_off' })])
    await expect(client.teams.list()).rejects.toMatchObject({ name: 'ClientError' })
  })

  test('for a delay waits, then answers', async () => {
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
  ] as const)('for pagination that goes wrong by %s is a typed error', async (kind, code) => {
    const { client } = start([api({ type: 'bad_pagination', kind })])
    await expect(client.teams.list().toArray({ max: 500 })).rejects.toMatchObject({ code })
  })

  test('for one operation leaves the others alone', async () => {
    const { client } = start([api({ type: 'status', status: 503 }, { operation: 'listTags' })])
    await expect(client.tags.list()).rejects.toMatchObject({ status: 503 })
    expect((await client.teams.list()).data.length).toBe(50)
  })

  test('hits as many times as it says', async () => {
    const { client } = start([api({ type: 'status', status: 503 }, { times: 2 })])
    await expect(client.tags.list()).rejects.toMatchObject({ status: 503 })
    await expect(client.tags.list()).rejects.toMatchObject({ status: 503 })
    expect((await client.tags.list()).data.length).toBe(50)
  })

  test('hits the same requests for the same seed, and others for another', async () => {
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

describe('one request can ask for a fault of its own', () => {
  test.each([
    ['status=418', 418],
    ['status=503; retry-after=3', 503],
    ['outage', 503],
    ['status=200', 400],
    ['nonsense', 400],
    ['delay=many', 400],
  ])('%s → %d', async (fault, status) => {
    expect((await start().ask(fault)).status).toBe(status)
  })

  test('and hits nobody else', async () => {
    const { ask, client } = start()
    await expect(ask('reset')).rejects.toThrow(TypeError)
    expect((await client.teams.list()).data.length).toBe(50)
  })
})

test('every preset is a set of rules that the emulator takes', () => {
  const { emulator } = start()
  for (const { rules } of FAULT_PRESETS) {
    emulator.faults = { seed: 1, rules }
    expect(emulator.faults.rules).toBe(rules)
  }
})

test('a reset turns the faults off', () => {
  const { emulator } = start([api({ type: 'reset' })])
  emulator.reset()
  expect(emulator.faults.rules).toEqual([])
})
