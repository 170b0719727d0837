import { expect, test } from 'vitest'
import type { Receipt, Receipts } from 'sidecard/actions'

let count = 0

/** Creates a receipt that has begun, of a new intent. */
export function createReceipt(changes: Partial<Receipt> = {}): Receipt {
  const intent = changes.intent ?? crypto.randomUUID()
  return {
    id: `${intent}.${crypto.randomUUID()}`,
    intent,
    owner: crypto.randomUUID(),
    state: 'running',
    app: 'Billing',
    action: 'refund',
    organization: 'org-1',
    issue: 'issue-1',
    agent: { id: 'agent-7', email: 'robin@acme.example', groups: ["lead's", '"x"'] },
    traceId: 'trace',
    idempotencyKey: 'key',
    work: 'work',
    startedAtMs: Date.now() + (count += 1),
    changedAtMs: Date.now(),
    hasEnded: false,
    linkIssuedAtMs: Date.now(),
    keepUntilSeconds: Math.floor(Date.now() / 1_000) + 90_000,
    sealed: 'eyJ..a.b.c',
    ...changes,
  }
}

/** Tests what every implementation of receipts does. */
export function testReceipts(create: () => Receipts): void {
  test('one of 50 concurrent owners begins, and the others get its receipt', async () => {
    const receipts = create()
    const { id, intent } = createReceipt()
    const all = Array.from({ length: 50 }, () => createReceipt({ id, intent }))
    const results = await Promise.all(all.map(async (one) => receipts.begin(one)))
    expect(results.filter((result) => result === 'begun')).toHaveLength(1)
    const first = all[results.indexOf('begun')]
    expect(results.filter((result) => result !== 'begun')).toEqual(Array(49).fill(first))
  })

  test('a receipt comes back as it was stored', async () => {
    const receipts = create()
    const receipt = createReceipt({ account: 'Ü "1"', sealed: 'x'.repeat(100_000) })
    expect(await receipts.find(receipt.id)).toBeUndefined()
    expect(await receipts.last(receipt.intent)).toEqual([])
    await receipts.begin(receipt)
    expect(await receipts.find(receipt.id)).toEqual(receipt)
    expect(await receipts.last(receipt.intent)).toEqual([receipt])
  })

  test('an owner who sends a receipt again has still begun, until it ends', async () => {
    const receipts = create()
    const receipt = createReceipt()
    expect(await receipts.begin(receipt)).toBe('begun')
    expect(await receipts.begin(receipt)).toBe('begun')
    const done = { ...receipt, state: 'done' as const }
    expect(await receipts.settle(done)).toBe(true)
    expect(await receipts.begin(receipt)).toEqual(done)
  })

  test.each([
    ['running', 'done', true],
    ['running', 'unknown', true],
    ['unknown', 'done', true],
    ['unknown', 'unknown', true],
    ['unknown', 'not_done', true],
    ['done', 'done', true],
    ['done', 'unknown', false],
    ['done', 'not_done', false],
    ['not_done', 'done', true],
    ['not_done', 'not_done', true],
    ['not_done', 'unknown', false],
  ] as const)('a receipt that is %s becomes %s: %s', async (from, to, isReplaced) => {
    const receipts = create()
    const receipt = createReceipt()
    await receipts.begin(receipt)
    if (from !== 'running') await receipts.settle({ ...receipt, state: from })
    expect(await receipts.settle({ ...receipt, state: to, changedAtMs: 7 })).toBe(isReplaced)
    expect((await receipts.find(receipt.id))?.state).toBe(isReplaced ? to : from)
    const next = createReceipt({ id: receipt.id, intent: receipt.intent })
    const begun = await receipts.begin(next)
    const canBegin = (isReplaced ? to : from) === 'not_done'
    expect(begun === 'begun').toBe(canBegin)
    expect((await receipts.find(receipt.id))?.owner).toBe((canBegin ? next : receipt).owner)
    expect(await receipts.last(receipt.intent)).toHaveLength(1)
  })

  test('only its owner settles or releases a receipt', async () => {
    const receipts = create()
    const receipt = createReceipt({ owner: 'owner' })
    await receipts.begin(receipt)
    for (const owner of ['b', 'own', 'owner ', '*', '', '%S+']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await receipts.settle({ ...receipt, owner, state: 'done' })).toBe(false)
      // oxlint-disable-next-line no-await-in-loop -- as above
      await receipts.release(receipt.id, owner)
    }
    expect(await receipts.find(receipt.id)).toEqual(receipt)
    await receipts.release(receipt.id, 'owner')
    expect(await receipts.find(receipt.id)).toBeUndefined()
    expect(await receipts.settle({ ...receipt, state: 'done' })).toBe(false)
    await receipts.release(receipt.id, 'owner')
    expect(await receipts.begin(createReceipt({ id: receipt.id }))).toBe('begun')
  })

  test('a receipt that is done is not released', async () => {
    const receipts = create()
    const receipt = createReceipt()
    await receipts.begin(receipt)
    await receipts.settle({ ...receipt, state: 'done' })
    await receipts.release(receipt.id, receipt.owner)
    expect((await receipts.find(receipt.id))?.state).toBe('done')
  })

  test('the last receipts of an intent are the newest first, at most 20', async () => {
    const receipts = create()
    const { intent } = createReceipt()
    const all = Array.from({ length: 23 }, () => createReceipt({ intent }))
    for (const one of all) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await receipts.begin(one)
    }
    await receipts.release(all[22]!.id, all[22]!.owner)
    await receipts.begin(createReceipt())
    const last = await receipts.last(intent)
    expect(last.length).toBeGreaterThanOrEqual(19)
    expect(last.length).toBeLessThanOrEqual(20)
    expect(last.map(({ id }) => id)).toEqual(
      all
        .slice(0, 22)
        .map(({ id }) => id)
        .toReversed()
        .slice(0, last.length),
    )
  })

  test('a receipt whose time is over counts as absent', async () => {
    const receipts = create()
    const keepUntilSeconds = Math.floor(Date.now() / 1_000) - 1
    const old = createReceipt({ keepUntilSeconds })
    await receipts.begin(old)
    expect(await receipts.find(old.id)).toBeUndefined()
    expect(await receipts.last(old.intent)).toEqual([])
    const next = createReceipt({ id: old.id, intent: old.intent })
    expect(await receipts.begin(next)).toBe('begun')
    expect(await receipts.find(old.id)).toEqual(next)
  })

  test('the receipts of a customer are erased, and no others', async () => {
    const receipts = create()
    const organization = crypto.randomUUID()
    const [one, two, other] = [
      createReceipt({ organization, account: 'a' }),
      createReceipt({ organization, account: 'b' }),
      createReceipt({ account: 'a' }),
    ]
    await Promise.all([one, two, other].map(async (each) => receipts.begin(each)))
    expect(await receipts.erase({})).toBe(0)
    expect(await receipts.erase({ organization, account: 'a' })).toBe(1)
    expect(await receipts.find(one.id)).toBeUndefined()
    expect(await receipts.last(one.intent)).toEqual([])
    expect(await receipts.erase({ organization })).toBe(1)
    expect(await receipts.find(other.id)).toEqual(other)
    const bare = createReceipt({ organization: undefined, issue: undefined })
    await receipts.begin(bare)
    expect(await receipts.erase({})).toBe(0)
    expect((await receipts.find(bare.id))?.owner).toBe(bare.owner)
  })
}
