import { checkboxField, moneyField, numberField, selectField, textField } from 'sidecard/actions'
import { expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES as messages } from '../../../src/runtime/actions/messages.ts'
import { createDesk } from '../../helpers/desk.ts'

test('a form from the context has the values, limits and choices of this customer', async () => {
  const leftOf: Record<string, number> = { 'account-1': 1_200 }
  const desk = createDesk({
    form: async (ctx: any, { accountId }: any) => ({
      amount: moneyField({ label: 'Amount', currency: 'EUR', max: leftOf[accountId]!, value: 500 }),
      order: selectField({ label: 'Order', options: { [`${ctx.agent.id}-1`]: 'First' } }),
    }),
    summary: (_input: any, { amount }: any) => `Refund ${amount / 100} EUR`,
  })
  const page = await desk.open()
  expect(page.html).toMatch(/name="field-amount"[^>]* value="5.00"/)
  expect(page.html).toContain('<option value="agent-7-1">First</option>')
  leftOf['account-1'] = 300
  const values = { amount: '4', order: 'agent-7-1' }
  const late = await desk.confirm(page, values)
  expect(late).toMatchObject({ status: 422 })
  expect(late.html).toContain('Enter a value from 0.01 to 3.00.')
  const done = await desk.confirm(late, { ...values, amount: '3' })
  expect(done.html).toContain('Refund 3 EUR')
  expect(desk.runs).toMatchObject([{ values: { amount: 300, order: 'agent-7-1' } }])
})

test.each([
  ['throws', () => Promise.reject(new Error('x')), '"message":"x"'],
  ['returns no fields', () => ({ days: 7 }), 'The option form of extend-trial must return an'],
  ['returns texts', () => ({ reason: 'a text' }), 'The option form of extend-trial must return an'],
])('a form that %s offers no confirmation, and is in the log', async (_name, form, reason) => {
  const desk = createDesk({ form })
  expect(await desk.open()).toMatchObject({ status: 500, outcome: 'failed', t: undefined })
  expect(desk.log()).toContain(reason)
})

test('fields may have any name, and hints are read with them', async () => {
  const form = {
    constructor: textField({ label: 'One', hint: 'The <b> first', optional: true }),
    toString: checkboxField({ label: 'Two', hint: 'Tick' }),
    valueOf: numberField({ label: 'Three', max: 3 }),
  }
  const desk = createDesk({ form })
  const page = await desk.open()
  expect(page.html).toContain('aria-describedby="field-constructor-hint"')
  expect(page.html).toContain('id="field-constructor-hint">The &lt;b&gt; first</p>')
  const invalid = await desk.confirm(page, { valueOf: '4', constructor: 'x' })
  expect(invalid.html).toContain('aria-describedby="field-valueOf-problem"')
  await desk.confirm(page, { valueOf: '3', toString: 'on' })
  const [{ values } = { values: {} }, ...others] = desk.runs
  expect(others).toEqual([])
  const expected = { constructor: undefined, toString: true, valueOf: 3 }
  expect(Object.entries(values)).toEqual(Object.entries(expected))
})

test('an invalid field is marked, nothing runs, and the agent can correct it', async () => {
  const desk = createDesk()
  const values = { days: '0', reason: 'x'.repeat(501) }
  const invalid = await desk.confirm(await desk.open(), values)
  expect(invalid).toMatchObject({ status: 422, outcome: 'invalid' })
  for (const [name, message] of [
    ['days', messages.outOfRange('1', '30')],
    ['reason', messages.tooLong(500)],
  ] as const) {
    expect(invalid.html).toContain(`id="field-${name}-problem">${message}`)
    expect(invalid.html).toContain(values[name])
  }
  expect(desk.outcomes().at(-1)).toBe('invalid')
  expect(desk.runs).toEqual([])
  expect(await desk.confirm(invalid)).toMatchObject({ outcome: 'done' })
})

test.each<[string, object | undefined, object]>([
  ['a form of a function', () => ({ name: textField({ label: 'Name' }) }), { name: 'Ann' }],
  ['a form', undefined, { Days: '7' }],
])('after its expiry, %s has what was entered in its fields and others', async (_, form, shown) => {
  const desk = createDesk({ ...(form && { form }) })
  const page = await desk.open()
  desk.nowMs += 5_000_000
  const typed = Object.entries(shown).map(([name, value]) => [name.toLowerCase(), value])
  const values = { ...Object.fromEntries(typed), reason: ' ', constructor: '<b>' }
  const expired = await desk.confirm(page, values)
  expect(expired.outcome).toBe('expired')
  const rows = expired.html.matchAll(/<dt>([^<]*)<\/dt><dd dir="auto">([^<]*)/g)
  const listed = Array.from(rows, ([, name, value]) => [name, value])
  expect(listed).toEqual([...Object.entries(shown), ['constructor', '&lt;b&gt;']])
})
