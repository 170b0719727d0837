import { memoryReceipts, type Receipt } from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
import { createDesk, SAM } from '../../helpers/desk.ts'
import { createReceipt } from '../../helpers/receipts.ts'

/**
 * A desk whose store lists other receipts of the intent as soon as the agent has confirmed, as if
 * other processes had written them.
 *
 * @param rivalsOf returns them for a look after the confirmation: the first one is look 0
 */
function createRivals(rivalsOf: (mine: Receipt, look: number) => readonly Partial<Receipt>[]) {
  const memory = memoryReceipts()
  let mine: Receipt | undefined
  let looks = 0
  const receipts = {
    ...memory,
    begin(receipt: Receipt) {
      mine = receipt
      return memory.begin(receipt)
    },
    last: async (intent: string) => {
      const known = await memory.last(intent)
      if (mine === undefined) return known
      const { startedAtMs } = mine
      const rivals = rivalsOf(mine, looks)
      looks += 1
      return [
        ...rivals.map((one) => createReceipt({ intent, startedAtMs, agent: SAM, ...one })),
        ...known,
      ]
    },
  }
  const desk = createDesk({}, { receipts })
  return Object.assign(desk, { looks: () => looks, ownReceipt: () => memory.find(mine!.id) })
}

async function confirm(desk: ReturnType<typeof createRivals>) {
  return desk.confirm(await desk.open(), { days: '7', reason: 'Kept' })
}

const before = ({ startedAtMs }: Receipt) => ({ startedAtMs: startedAtMs - 1 })
const after = ({ startedAtMs }: Receipt) => ({ startedAtMs: startedAtMs + 1 })

describe('a confirmation gives up for another one of the same intent', () => {
  test.each<[string, (mine: Receipt) => Partial<Receipt>]>([
    ['began before', before],
    ['began in the same millisecond, with a smaller ID', () => ({ id: '!' })],
    ['began later, and is done', (mine) => ({ ...after(mine), state: 'done' })],
    ['began later, and has an unknown outcome', (mine) => ({ ...after(mine), state: 'unknown' })],
  ])('that %s', async (_, rivalOf) => {
    const desk = createRivals((mine) => [rivalOf(mine)])
    const page = await confirm(desk)
    expect(page).toMatchObject({ status: 409, outcome: 'in_progress' })
    expect(page.html).toMatch(/sam@acme\.example[^]*Kept/)
    expect(desk.keys).toEqual([])
    expect(desk.looks()).toBe(1)
    expect(await desk.ownReceipt()).toBeUndefined()
  })

  test('that began before, rather than for one that began later', async () => {
    const early = { email: 'early@acme.example', id: 'early', groups: [] }
    const desk = createRivals((mine) => [after(mine), { ...before(mine), agent: early }])
    const page = await confirm(desk)
    expect(page.html).toContain('early@acme.example')
    expect(desk.looks()).toBe(1)
  })

  test('that began later and does not give up itself', async () => {
    const desk = createRivals((mine) => [after(mine)])
    expect(await confirm(desk)).toMatchObject({ status: 409, outcome: 'in_progress' })
    expect(desk.keys).toEqual([])
    expect(desk.looks()).toBe(6)
  })
})

describe('a confirmation runs', () => {
  test.each<[string, (mine: Receipt) => Partial<Receipt>]>([
    ['began later', after],
    ['began in the same millisecond, with a larger ID', () => ({ id: '~' })],
  ])('after another one that %s has given up', async (_, rivalOf) => {
    const desk = createRivals((mine, look) => (look === 0 ? [rivalOf(mine)] : []))
    expect(await confirm(desk)).toMatchObject({ outcome: 'done' })
    expect(desk.looks()).toBe(2)
  })

  test('if nothing was done by another one', async () => {
    const desk = createRivals((mine) => [{ ...before(mine), state: 'not_done' }])
    expect(await confirm(desk)).toMatchObject({ outcome: 'done' })
  })
})
