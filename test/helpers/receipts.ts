import { expect, test } from 'vitest'
import type { Receipt, Receipts } from 'sidecard/actions'

/** Creates a receipt that has begun, of a new action. */
export function createReceipt(changes: Partial<Receipt> = {}): Receipt {
  return {
    actionKey: crypto.randomUUID(),
    number: 1,
    attemptId: crypto.randomUUID(),
    linkId: crypto.randomUUID(),
    revision: 0,
    state: 'running',
    app: 'Billing',
    action: 'refund',
    organization: 'org-1',
    issue: 'issue-1',
    agent: { id: 'agent-7', email: 'robin@acme.example', groups: ["lead's", '"x"'] },
    traceId: 'trace',
    idempotencyKey: 'key',
    keySeed: 'seed',
    startedAtMs: Date.now(),
    changedAtMs: Date.now(),
    dueAtMs: Date.now() + 20_000,
    settlesAtMs: Date.now() + 80_000,
    keepUntilSeconds: Math.floor(Date.now() / 1_000) + 90_000,
    encrypted: 'eyJ..a.b.c',
    ...changes,
  }
}

/** Returns a receipt after a change. */
export function next(receipt: Receipt, changes: Partial<Receipt>): Receipt {
  return { ...receipt, revision: receipt.revision + 1, ...changes }
}

/**
 * Tests what every implementation of receipts does. A thrifty one deletes old receipts, and lists
 * no more than it must.
 */
export function testReceipts(
  create: () => Receipts,
  { isThrifty = true }: { readonly isThrifty?: boolean } = {},
): void {
  const begin = async (receipts: Receipts, receipt: Receipt) => {
    try {
      return await receipts.begin(receipt, receipt.number)
    } catch {
      // A store may throw if a concurrent confirmation has the number.
      return receipts.begin(receipt, receipt.number)
    }
  }

  test('one of 50 concurrent confirmations begins, and the others do not', async () => {
    const receipts = create()
    const { actionKey } = createReceipt()
    const all = Array.from({ length: 50 }, () => createReceipt({ actionKey }))
    const results = await Promise.all(all.map((one) => begin(receipts, one)))
    expect(results.filter(Boolean)).toEqual([true])
    expect(await receipts.list(actionKey, 'none')).toEqual([all[results.indexOf(true)]])
  })

  test('the store returns a receipt as it was stored', async () => {
    const receipts = create()
    const receipt = createReceipt({ account: 'Ü "1"', encrypted: 'x'.repeat(100_000) })
    expect(await receipts.list(receipt.actionKey, receipt.linkId)).toEqual([])
    expect(await begin(receipts, receipt)).toBe(true)
    expect(await receipts.list(receipt.actionKey, 'none')).toEqual([receipt])
    expect(await receipts.list('none', receipt.linkId)).toEqual([receipt])
  })

  test('a receipt whose reply was lost begins again, and no other receipt gets its number', async () => {
    const receipts = create()
    const receipt = createReceipt()
    expect(await begin(receipts, receipt)).toBe(true)
    expect(await begin(receipts, receipt)).toBe(true)
    expect(await begin(receipts, { ...receipt, attemptId: 'other' })).toBe(false)
  })

  test('only the next number begins', async () => {
    const receipts = create()
    const { actionKey } = createReceipt()
    const tryNumber = (number: number) => begin(receipts, createReceipt({ actionKey, number }))
    const results: boolean[] = []
    for (const number of [2, 0, 1, 1, 3, 2, 4, 3]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      results.push(await tryNumber(number))
    }
    expect(results).toEqual([false, false, true, false, false, true, false, true])
  })

  test('a receipt is replaced by its next revision, and by no other one', async () => {
    const receipts = create()
    const receipt = createReceipt()
    await begin(receipts, receipt)
    const done = next(receipt, { state: 'done', changedAtMs: 7 })
    expect(await receipts.settle(next(receipt, { attemptId: 'other' }))).toBeFalsy()
    expect(await receipts.settle(done)).toBe(true)
    expect(await receipts.settle(next(receipt, { state: 'unknown' }))).toEqual(done)
    expect(await receipts.settle(next(next(done, {}), {}))).toEqual(done)
    expect(await receipts.list(receipt.actionKey, 'none')).toEqual([done])
    expect(await receipts.settle(next(createReceipt(), {}))).toBeUndefined()
  })

  test('the list has the last receipt, the last one that is done, and the one of the link', async () => {
    const receipts = create()
    const { actionKey } = createReceipt()
    const all = [1, 2, 3, 4, 5].map((number) => createReceipt({ actionKey, number }))
    const states = ['refused', 'done', 'done', 'not_done', 'unknown'] as const
    const ended = all.map((one, index) => next(one, { state: states[index]! }))
    for (const [index, one] of all.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect([await begin(receipts, one), await receipts.settle(ended[index]!)]).toEqual([
        true,
        true,
      ])
    }
    const listed = async (linkId: string, ...numbers: number[]) => {
      const found = (await receipts.list(actionKey, linkId)).map(({ number }) => number)
      const needed = isThrifty ? found : found.filter((number) => numbers.includes(number))
      expect(new Set(needed)).toEqual(new Set(numbers))
    }
    await listed('none', 3, 5)
    await listed(all[0]!.linkId, 1, 3, 5)
    await listed(all[2]!.linkId, 3, 5)
  })

  test.runIf(isThrifty)(
    'of several receipts of a link, the one that is done is listed, or else the last one',
    async () => {
      const receipts = create()
      const one = createReceipt()
      await begin(receipts, one)
      const two = createReceipt({ actionKey: one.actionKey, linkId: one.linkId, number: 2 })
      await begin(receipts, two)
      expect(await receipts.list('none', one.linkId)).toEqual([two])
      const done = next(one, { state: 'done' })
      await receipts.settle(done)
      expect(await receipts.list('none', one.linkId)).toEqual([done])
    },
  )

  test.runIf(isThrifty)(
    'old receipts are deleted at the next change, except for open ones',
    async () => {
      const receipts = create()
      const keepUntilSeconds = Math.floor(Date.now() / 1_000) - 1
      const states = ['running', 'unknown', 'refused', 'not_done', 'done'] as const
      const old = states.map((state) => createReceipt({ state, keepUntilSeconds }))
      await Promise.all(old.map((one) => begin(receipts, one)))
      const other = createReceipt()
      await begin(receipts, other)
      await receipts.settle(next(other, { state: 'done' }))
      const lists = await Promise.all(old.map(async (one) => receipts.list(one.actionKey, 'none')))
      expect(lists).toEqual([[old[0]], [old[1]], [], [], []])
    },
  )

  test('erase removes everything personal of a customer, and keeps the numbers and states', async () => {
    const receipts = create()
    const organization = crypto.randomUUID()
    const agent = { id: 'agent-8', groups: [] }
    const [one, two, other] = [
      createReceipt({ organization, account: 'a', requester: 'r', setBy: agent }),
      createReceipt({ organization, account: 'b' }),
      createReceipt({ account: 'a' }),
    ]
    await Promise.all([one, two, other].map((each) => begin(receipts, each)))
    expect(await receipts.erase({})).toBe(0)
    expect(await receipts.erase({ organization, account: 'a' })).toBe(1)
    const [blank] = await receipts.list(one.actionKey, 'none')
    const personal = { organization: undefined, account: undefined, requester: undefined }
    const empty = { ...personal, issue: undefined, agent: undefined, encrypted: '' }
    expect(blank).toEqual({ ...one, ...empty, setBy: true, revision: 1 })
    expect(await begin(receipts, createReceipt({ actionKey: one.actionKey }))).toBe(false)
    expect(await receipts.settle(next(one, { state: 'done' }))).toEqual(blank)
    expect(await receipts.erase({ organization })).toBe(1)
    expect(await receipts.erase({ organization })).toBe(0)
    expect(await receipts.list(other.actionKey, 'none')).toEqual([other])
  })
}
