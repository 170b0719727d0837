import fc from 'fast-check'
import {
  ActionError,
  checkboxField,
  dateField,
  moneyField,
  numberField,
  selectField,
  textField,
} from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES as messages } from '../../../src/runtime/actions/messages.ts'
import {
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
} from '../../helpers/actions.ts'

async function open(overrides: Record<string, unknown>) {
  const app = createActionApp(createExtendTrial(overrides))
  const [link] = await readLinks(app)
  return { app, page: await openPage(app, link!) }
}

/** Writes n steps of 10^-digits as an agent would. */
function toDecimal(n: bigint, digits: number): string {
  const text = String(n).padStart(digits + 1, '0')
  const point = text.length - digits
  return digits === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`
}

describe('numbers', () => {
  test('every multiple of a step is accepted, and nothing between', () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 12n })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), amounts, (digits, major) => {
        const step = Number(`1e-${digits}`)
        const { read } = numberField({ label: 'x', min: 0, step, decimal: '.' })
        const entered = toDecimal(major, digits)
        expect(read(entered, messages)).toEqual({ value: Number(entered) })
        const between = toDecimal(major * 10n + 5n, digits + 1)
        expect(read(between, messages)).toHaveProperty('problem')
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    ['83886.21', 0.01],
    ['8455.542', 0.001],
    ['840095.2', 0.1],
    ['0.3', 0.1],
    ['1000000000000', 1],
    ['9007199254740991', 1],
  ])('%s is a multiple of %d', (entered, step) => {
    expect(numberField({ label: 'x', step }).read(entered, messages)).toEqual({
      value: Number(entered),
    })
  })

  test.each([
    '9007199254740993',
    '9007199254740992',
    '99999999999999999999',
    '0.12345678901234567',
  ])('%s, which a number would change, is refused', (entered) => {
    const { read } = numberField({ label: 'x', step: 1e-10 })
    expect(read(entered, messages)).toHaveProperty('problem')
  })

  test.each([
    ['a step from min', { min: 0.5, step: 0.25 }, '1.25', true],
    ['a step next to min', { min: 0.5, step: 0.2 }, '1', false],
    ['a negative number', { min: -5, max: 5 }, '-3', true],
    ['below min', { min: -5 }, '-5.5', false],
    ['an exponent', {}, '1e3', false],
    ['a tiny step', { step: 1e-7 }, '0.0000003', true],
  ])('%s', (_name, options, entered, isAccepted) => {
    const result = numberField({ label: 'x', ...options }).read(entered, messages)
    expect('value' in result).toBe(isAccepted)
  })
})

describe('money', () => {
  test('any amount is read exactly, in minor units', () => {
    const units = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
    const currencies = fc.constantFrom(['EUR', 2], ['JPY', 0], ['KWD', 3], ['CLF', 4])
    fc.assert(
      fc.property(currencies, units, ([currency, digits], amount) => {
        const { read } = moneyField({ label: 'Amount', currency, decimal: '.' })
        const entered = toDecimal(BigInt(amount), digits)
        expect(read(entered, messages)).toEqual({ value: amount })
      }),
    )
  })

  test('limits are in minor units, and shown in major units', () => {
    const { read, view } = moneyField({ label: 'Amount', currency: 'eur', min: 1, max: 1_050 })
    expect(view.label).toBe('Amount (EUR)')
    expect(read('10.50', messages)).toEqual({ value: 1_050 })
    expect(read('10.51', messages)).toEqual({ problem: 'Enter a value from 0.01 to 10.50.' })
    expect(read('1.0050', messages)).toEqual({ problem: 'Enter a multiple of 0.01.' })
    expect(read('0', messages)).toHaveProperty('problem')
    expect(read('99999999999999999999', messages)).toHaveProperty('problem')
  })

  test('a currency without minor units and an amount in major units are errors', () => {
    expect(() => moneyField({ label: 'x', currency: 'XAU' })).toThrow('currency must be an ISO')
    expect(() => moneyField({ label: 'x', currency: 'EUR', max: 10.5 })).toThrow('minor units')
  })
})

test.each([
  ['2027-01-31', {}, true],
  ['2027-02-29', {}, false],
  ['2028-02-29', {}, true],
  ['31.01.2027', {}, false],
  ['2026-12-31', { min: '2027-01-01' }, false],
  ['2027-01-02', { max: '2027-01-01' }, false],
])('the date %s with %o is read: %s', (entered, options, isAccepted) => {
  const result = dateField({ label: 'Due', ...options }).read(entered, messages)
  expect('value' in result && result.value === entered).toBe(isAccepted)
})

test('a checkbox is true or false, and may have to be checked', () => {
  expect(checkboxField({ label: 'x' }).read('', messages)).toEqual({ value: false })
  expect(checkboxField({ label: 'x' }).read('on', messages)).toEqual({ value: true })
  const { read } = checkboxField({ label: 'x', required: true })
  expect(read('on', messages)).toEqual({ value: true })
  expect(read('', messages)).toEqual({ problem: 'Check this box.' })
})

test('a form from the context has the values, limits and choices of this customer', async () => {
  const leftOf: Record<string, number> = { 'account-1': 1_200 }
  const { app, page } = await open({
    form: async (ctx: any, { accountId }: any) => ({
      amount: moneyField({ label: 'Amount', currency: 'EUR', max: leftOf[accountId]!, value: 500 }),
      order: selectField({ label: 'Order', options: { [`${ctx.agent.id}-1`]: 'First' } }),
    }),
    summary: (_input: any, { amount }: any) => `Refund ${amount / 100} EUR`,
  })
  expect(page.html).toMatch(/name="field-amount"[^>]* value="5.00"/)
  expect(page.html).toContain('<option value="agent-7-1">First</option>')
  leftOf['account-1'] = 300
  const values = { amount: '4', order: 'agent-7-1' }
  const late = await confirmPage(app, page, values)
  expect(late).toMatchObject({ status: 422 })
  expect(late.html).toContain('Enter a value from 0.01 to 3.00.')
  const done = await confirmPage(app, late, { ...values, amount: '3' })
  expect(done.html).toContain('Refund 3 EUR')
  expect(app.journal.runs).toMatchObject([{ values: { amount: 300, order: 'agent-7-1' } }])
})

test.each([
  ['throws', () => Promise.reject(new Error('x'))],
  ['returns no fields', () => ({ days: 7 })],
])('a form that %s offers no confirmation', async (_name, form) => {
  const { page } = await open({ form })
  expect(page).toMatchObject({ status: 500, outcome: 'failed', t: undefined })
})

test('fields may have any name, and hints are read with them', async () => {
  const form = {
    constructor: textField({ label: 'One', hint: 'The <b> first', optional: true }),
    toString: checkboxField({ label: 'Two', hint: 'Tick' }),
    valueOf: numberField({ label: 'Three', max: 3 }),
  }
  const { app, page } = await open({ form, run: (_c: any, _i: any, v: any) => void seen.push(v) })
  const seen: unknown[] = []
  expect(page.html).toContain('aria-describedby="field-constructor-hint"')
  expect(page.html).toContain('id="field-constructor-hint">The &lt;b&gt; first</p>')
  const invalid = await confirmPage(app, page, { valueOf: '4', constructor: 'x' })
  expect(invalid.html).toContain('aria-describedby="field-valueOf-problem"')
  await confirmPage(app, page, { valueOf: '3', toString: 'on' })
  expect(seen).toHaveLength(1)
  expect(Object.entries(seen[0] as object)).toEqual([
    ['constructor', undefined],
    ['toString', true],
    ['valueOf', 3],
  ])
})

test('an ActionError marks its field, keeps what was entered, and comes after the time of the request', async () => {
  const app = createActionApp(
    createExtendTrial({
      run: async () => {
        await new Promise((resolve) => setTimeout(resolve, 150))
        throw new ActionError('Only 5 days are left.', { field: 'days' })
      },
    }),
    {},
    { timeoutMs: 100 },
  )
  const [link] = await readLinks(app)
  const values = { days: '9', reason: 'Kept' }
  const rejected = await confirmPage(app, await openPage(app, link!), values)
  expect(rejected).toMatchObject({ status: 409, outcome: 'refused' })
  expect(rejected.html).toContain('id="field-days-problem">Only 5 days are left.</p>')
  expect(rejected.html).toMatch(/value="9"[^]*Kept/)
})
