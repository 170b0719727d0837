import { money } from 'sidecard'
import {
  checkboxField,
  dateField,
  memoryReceipts,
  moneyField,
  numberField,
  selectField,
  textField,
} from 'sidecard/actions'
import { expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES as messages } from '../../../src/runtime/actions/messages.ts'
import { AGENT, readHidden as hidden } from '../../helpers/actions.ts'
import { createDesk } from '../../helpers/desk.ts'

const FORM = {
  amount: moneyField({ label: 'Amount', currency: 'EUR' }),
  plan: selectField({ label: 'Plan', options: { team: 'Team plan', pro: 'Pro plan' } }),
  due: dateField({ label: 'Due' }),
  notify: checkboxField({ label: 'Notify' }),
  days: numberField({ label: 'Days', optional: true }),
  reason: textField({ label: 'Reason' }),
}
const TYPED = { amount: '10,50', plan: 'pro', due: '2027-03-01', reason: 'Late <parcel>' }

const refunding = (_input: unknown, { amount }: any) => `Refund ${money(amount, 'EUR')}`
const refund = (overrides: object = {}, options: object = {}) =>
  createDesk({ form: FORM, summary: refunding, ...overrides }, options)
const typed = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`field-${name}`, value]))

async function openReview(desk = refund(), values: object = TYPED) {
  const form = await desk.open()
  const review = await desk.post({ ...hidden(form.html), ...typed(values) })
  return { desk, form, review, sent: hidden(review.html) }
}

test('the first POST runs nothing, and reads back what the agent has typed', async () => {
  const { desk, form, review } = await openReview()
  expect(form.html).toContain('<button type="submit">Review</button>')
  expect(review).toMatchObject({ status: 200, outcome: 'review', heading: 'Extend trial' })
  expect(review.html).toContain('<p class="sentence">Refund €10.50</p>')
  const rows = Array.from(
    review.html.matchAll(/<dt>([^<]*)<\/dt><dd dir="auto">([^<]*)<\/dd>/g),
    ([, label, text]) => [label, text],
  )
  expect(rows).toEqual([
    ['Amount (EUR)', '€10.50'],
    ['Plan', 'Pro plan'],
    ['Due', 'Mar 1, 2027'],
    ['Notify', 'No'],
    ['Reason', 'Late &lt;parcel&gt;'],
  ])
  expect(review.html).not.toContain('autofocus')
  expect(desk.runs).toEqual([])
})

test('the second POST runs exactly what was read, once', async () => {
  const { desk, sent } = await openReview()
  const both = await Promise.all([desk.post(sent), desk.post(sent)])
  expect(both.map(({ outcome }) => outcome)).toContain('done')
  expect(desk.runs).toHaveLength(1)
  expect(desk.runs).toMatchObject([
    { values: { amount: 1_050, plan: 'pro', due: '2027-03-01', reason: 'Late <parcel>' } },
  ])
})

test.each<[string, Record<string, string>]>([
  ['the amount', { 'field-amount': '10,51' }],
  ['the choice', { 'field-plan': 'team' }],
  ['a value that was absent', { 'field-days': '3' }],
  ['a box that was not checked', { 'field-notify': 'on' }],
  ['the token of the review', { review: 'x'.repeat(43) }],
  ['the token of the review, which is now empty', { review: '' }],
])('a second POST that changes %s is read back again', async (_what, changes) => {
  const { desk, sent } = await openReview()
  const again = await desk.post({ ...sent, ...changes })
  expect(again.outcome).toBe('review')
  expect(again.html).toContain(messages.reviewChanged)
  expect(desk.runs).toEqual([])
  expect(await desk.post(hidden(again.html))).toMatchObject({ outcome: 'done' })
})

test('a review of one link, agent or app confirms nothing of a different one', async () => {
  const { desk, sent } = await openReview()
  const other = await openReview(desk, { ...TYPED, amount: '99' })
  const mixed = await desk.post({ ...other.sent, review: sent['review']! })
  expect(mixed.outcome).toBe('review')
  const foreign = refund({}, { signIn: () => ({ ...AGENT, id: 'agent-8' }) })
  expect(await foreign.post(sent)).toMatchObject({ outcome: 'forbidden' })
  expect([...desk.runs, ...foreign.runs]).toEqual([])
})

test('a form that is sent again after a sign-in is read back again', async () => {
  let agent: unknown = AGENT
  const desk = refund({}, { signIn: () => agent ?? new Response(null, { status: 401 }) })
  expect(await desk.post((await openReview(desk)).sent)).toMatchObject({ outcome: 'done' })
  const { sent } = await openReview(desk)
  agent = undefined
  const expired = await desk.post({ ...sent, resolve: 'done' })
  expect(expired).toMatchObject({ status: 403, t: sent['t'], form: sent['form'], seen: '1.1' })
  agent = AGENT
  expect(await desk.post(hidden(expired.html))).toMatchObject({ outcome: 'review' })
  expect(desk.runs).toHaveLength(1)
})

test('a summary that a deployment has changed is read back again', async () => {
  const receipts = memoryReceipts()
  const { sent } = await openReview(refund({}, { receipts }))
  const summary = () => 'Refund everything'
  const desk = refund({ summary }, { receipts })
  const again = await desk.post(sent)
  expect(again.outcome).toBe('review')
  expect(again.html).toContain('<p class="sentence">Refund everything</p>')
  expect(desk.runs).toEqual([])
})

test('limits are read again at the second POST', async () => {
  let max = 2_000
  const form = () => ({ ...FORM, amount: moneyField({ label: 'Amount', currency: 'EUR', max }) })
  const { desk, sent } = await openReview(refund({ form }))
  max = 1_000
  const late = await desk.post(sent)
  expect(late).toMatchObject({ status: 422, outcome: 'invalid' })
  expect(late.html).toContain('value="10,50"')
  expect(desk.runs).toEqual([])
})

test('the rule is asked with the values at both POSTs', async () => {
  const asked: unknown[] = []
  let isAllowed = true
  const allow = (_ctx: unknown, _input: unknown, values: any) => {
    if (values !== undefined) asked.push(values.amount)
    return isAllowed || values === undefined
  }
  const { desk, sent } = await openReview(refund({ authorize: allow }))
  expect(asked).toEqual([1_050])
  isAllowed = false
  expect(await desk.post(sent)).toMatchObject({ status: 403, outcome: 'forbidden' })
  expect(asked).toEqual([1_050, 1_050])
  expect(desk.runs).toEqual([])
})

test('a confirmation of somebody else after the review shows the form again', async () => {
  const desk = refund()
  const [first, second] = [await openReview(desk), await openReview(desk)]
  expect(await desk.post(first.sent)).toMatchObject({ outcome: 'done' })
  const late = await desk.post(second.sent)
  expect(late.html).toContain(messages.changedSince)
  expect(late.html).toContain('value="10,50"')
  expect(desk.runs).toHaveLength(1)
})

test.each<[string, object, object, boolean]>([
  ['a text field', { form: { reason: FORM.reason } }, { reason: 'x' }, false],
  ['a number and no sentence', { summary: undefined }, TYPED, false],
  ['a number and review: false', { review: false }, TYPED, false],
  [
    'a text field and review: true',
    { form: { reason: FORM.reason }, review: true },
    { reason: 'x' },
    true,
  ],
  ['a number field', { form: { days: numberField({ label: 'Days' }) } }, { days: '7' }, true],
])('an action with %s has a review: %j %j %s', async (_name, overrides, values, expected) => {
  const summary = () => 'Do it'
  const { review } = await openReview(refund({ summary, ...overrides }), values)
  expect(review.outcome).toBe(expected ? 'review' : 'done')
})

test('a sentence that fails runs nothing, and keeps the typed values', async () => {
  const summary = () => expect.unreachable('no name')
  const { desk, review } = await openReview(refund({ summary }))
  expect(review).toMatchObject({ status: 503, outcome: 'failed' })
  expect(review.html).toContain('10,50')
  expect(desk.runs).toEqual([])
})
