import { redisReceipts } from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
import { createReceipt } from '../helpers/receipts.ts'

// The scripts run in a real Redis, in receipts-processes.node.test.ts.

/** A client that gives one reply, and notes the scripts and the other arguments of `eval()`. */
function createReceipts(reply: unknown, method: 'setEx' | 'setex' = 'setEx') {
  const calls: unknown[][] = []
  const scripts: string[] = []
  const client = {
    eval: async (script: string, ...args: unknown[]) => {
      scripts.push(script)
      calls.push(args)
      return reply
    },
    [method]: async () => undefined,
  }
  return { receipts: redisReceipts(client as never), calls, scripts }
}

test.each([{ eval: () => undefined }, { setEx: () => undefined }, undefined, 'redis://'])(
  '%j is no client',
  (client) => {
    expect(() => redisReceipts(client as never)).toThrow(
      'redisReceipts: the argument must be a client of the redis or the ioredis package.',
    )
  },
)

test.each(['setEx', 'setex'] as const)(
  'a client with %s() gets the key and texts',
  async (method) => {
    const { receipts, calls } = createReceipts('begun', method)
    const receipt = createReceipt({ linkIssuedAtMs: 7 })
    calls.length = 0
    await receipts.begin(receipt)
    const { id, owner, intent, state, keepUntilSeconds } = receipt
    const field = `${owner} ${state} ${keepUntilSeconds} ${JSON.stringify(receipt)}`
    const time = expect.stringMatching(/^\d+$/)
    const texts = [time, time, '7', id, owner, intent, field]
    expect(calls).toEqual([
      method === 'setEx'
        ? [{ keys: ['sidecard:receipts'], arguments: texts }]
        : [1, 'sidecard:receipts', ...texts],
    ])
    const [seconds, ms] = (
      calls[0]!.length === 1
        ? (calls[0]![0] as { arguments: string[] }).arguments
        : calls[0]!.slice(2)
    ) as string[]
    expect(Math.floor(Number(ms) / 1_000) - Number(seconds)).toBeLessThanOrEqual(1)
    expect(Math.abs(Number(ms) - Date.now())).toBeLessThan(60_000)
  },
)

test('each method runs its own script, after a part that all of them have', async () => {
  const { receipts, scripts } = createReceipts('')
  const receipt = createReceipt()
  await receipts.settle(receipt)
  await receipts.release(receipt.id, receipt.owner)
  await receipts.find(receipt.id)
  await Promise.allSettled([
    receipts.begin(receipt),
    receipts.last(receipt.intent),
    receipts.erase({ issue: 'i' }),
  ])
  expect(new Set(scripts).size).toBe(7)
  const isCommon = (end: number) =>
    scripts.every((script) => script.startsWith(scripts[0]!.slice(0, end)))
  const lengths = Array.from(scripts[0]!, (_, index) => index + 1)
  const common = scripts[0]!.slice(0, lengths.findLast(isCommon))
  expect(common).toContain('local function find(id)')
  for (const script of scripts) expect(script.length).toBeGreaterThan(common.length)
})

describe('a reply', () => {
  const receipt = createReceipt()
  const json = JSON.stringify(receipt)

  test('to begin() is a word or a receipt', async () => {
    expect(await createReceipts('begun').receipts.begin(receipt)).toBe('begun')
    expect(await createReceipts('expired').receipts.begin(receipt)).toBe('expired')
    expect(await createReceipts(json).receipts.begin(receipt)).toEqual(receipt)
    await expect(createReceipts('{}').receipts.begin(receipt)).rejects.toThrow('invalid receipt')
  })

  test('to settle() is 1 if the receipt was replaced', async () => {
    expect(await createReceipts(1).receipts.settle(receipt)).toBe(true)
    expect(await createReceipts(0).receipts.settle(receipt)).toBe(false)
  })

  test('to find() is empty if there is no receipt', async () => {
    expect(await createReceipts('').receipts.find('a')).toBeUndefined()
    expect(await createReceipts(json).receipts.find('a')).toEqual(receipt)
    await expect(createReceipts('{}').receipts.find('a')).rejects.toThrow(
      'The store returned an invalid receipt.',
    )
  })

  test('to last() is a list', async () => {
    expect(await createReceipts([]).receipts.last('a')).toEqual([])
    expect(await createReceipts([json]).receipts.last('a')).toEqual([receipt])
    await expect(createReceipts('QUEUED').receipts.last('a')).rejects.toThrow(
      'Redis returned no list.',
    )
  })

  test('to erase() is a number, and no ID needs no reply', async () => {
    const filter = { organization: 'o', issue: 'i' }
    const { receipts, calls } = createReceipts(2)
    expect(await receipts.erase(filter)).toBe(2)
    expect(calls.at(-1)![0]).toMatchObject({
      arguments: expect.arrayContaining(['organization', 'o', 'issue', 'i']),
    })
    const before = calls.length
    expect(await receipts.erase({})).toBe(0)
    expect(calls).toHaveLength(before)
    await expect(createReceipts('QUEUED').receipts.erase(filter)).rejects.toThrow(
      'Redis returned no number.',
    )
  })

  test('to since() is a time', async () => {
    const { receipts, calls } = createReceipts('7')
    // The time of the hash counts from the start.
    expect(calls).toHaveLength(1)
    expect(await receipts.since!()).toBe(7)
  })
})
