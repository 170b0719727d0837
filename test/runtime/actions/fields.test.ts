import { expect, test } from 'vitest'
import {
  checkboxField,
  dateField,
  moneyField,
  numberField,
  selectField,
  textField,
} from 'sidecard/actions'
import { DEFAULT_ACTION_MESSAGES as messages } from '../../../src/runtime/actions/messages.ts'

const label = 'x'
const box = (options: object = {}) => checkboxField({ label, ...options })
const date = (options: object = {}) => dateField({ label, ...options })
const number = (options: object = {}) => numberField({ label, ...options })
const money = (options: object = {}) => moneyField({ label, currency: 'EUR', ...options })
const text = (options: object = {}) => textField({ label, ...options })
const select = (options: unknown, value?: unknown) =>
  selectField({ label, options, value } as never)

const AMOUNT = "must be an amount in minor units, or { major: '12.50' }"

test.each<[string, () => unknown]>([
  ['textField: label', () => textField({} as never)],
  ['numberField: ', () => number({ mni: 1 })],
  ['checkboxField: ', () => checkboxField(undefined as never)],
  ['checkboxField: hint', () => box({ hint: 7 })],
  ['numberField: max must be at least min.', () => number({ min: 2, max: 1 })],
  ['numberField: step must be a positive number.', () => number({ step: 0 })],
  ['moneyField: max must be at least min.', () => money({ min: 2, max: 1 })],
  [`moneyField: max ${AMOUNT}, with at most 2 decimals.`, () => money({ max: { major: '1.505' } })],
  [`moneyField: value ${AMOUNT}`, () => money({ value: 10.5 })],
  [`moneyField: min ${AMOUNT}`, () => money({ min: { major: '-1' } })],
  [`moneyField: max ${AMOUNT}`, () => money({ max: '12' })],
  ['moneyField: currency must be an ISO 4217 code', () => money({ currency: 978 })],
  ['moneyField: currency must be an ISO 4217 code', () => money({ currency: 'XAU' })],
  ["moneyField: decimal must be '.' or ','.", () => money({ decimal: ';' })],
  ['dateField: max must be at least min.', () => date({ min: '2027-01-02', max: '2027-01-01' })],
  ["dateField: min must be a date such as '2027-01-31'.", () => date({ min: '2027-02-30' })],
  ['dateField: max must be a date', () => date({ max: ['2027-01-31'] })],
  [
    'selectField: options must be an object with at least one value and its text.',
    () => select({}),
  ],
  ['selectField: options', () => select({ ' ': 'None' })],
  ['selectField: options', () => select({ a: 'A', b: 7 })],
  ['selectField: value must be "team".', () => select({ team: 'Team' }, 'taem')],
  ['selectField: value must be one of the options.', () => select({ team: 'Team' }, 'zzzzzz')],
  ['selectField: value must be a string', () => select({ a: 'A' }, 7)],
])('a field is rejected at its creation: %s', (message, create) => {
  expect(create).toThrow(message)
  expect(create).toThrow(expect.objectContaining({ code: 'invalid_options' }))
})

test('a field may have a range of one value, or one limit', () => {
  for (const limit of [{ min: 1 }, { max: 1 }, { min: 1, max: 1 }]) {
    expect(() => [number(limit), money(limit)]).not.toThrow()
    const days = Object.keys(limit).map((name) => [name, '2027-01-01'])
    expect(() => date(Object.fromEntries(days))).not.toThrow()
  }
})

test.each([
  [box(), { control: 'checkbox', optional: true, initial: '' }],
  [box({ required: true }), { optional: false, initial: '' }],
  [box({ value: true }), { optional: true, initial: 'on' }],
  [number({ value: 1e21 }), { initial: `1${'0'.repeat(21)}` }],
  [number({ value: 7 }), { initial: '7' }],
  [number({ value: 1e-7 }), { initial: '0.0000001' }],
  [number({ value: -12 }), { initial: '-12' }],
  [text(), { initial: '', maxLength: 1_000 }],
  [date({ max: '2027-01-31' }), { initial: '', min: undefined }],
  [number(), { initial: '' }],
  [money(), { initial: '' }],
  [money({ currency: 'eur', label: 'Amount' }), { label: 'Amount (EUR)' }],
])('a field is shown with its initial value and its limits: %#', ({ view }, expected) => {
  expect(view).toMatchObject(expected)
})

const DAY = '2027-01-02'
const ONE_DAY = date({ min: DAY, max: DAY })
const plan = (options = {}) => selectField({ label, options: { pro: 'Pro' }, ...options })

test.each<
  [string, string, { read(entered: string, texts: typeof messages): unknown }, unknown, string?]
>([
  ['a date', '2027-01-31', date(), '2027-01-31'],
  ['a leap day', '2028-02-29', date(), '2028-02-29'],
  ['a date', '2027-02-29', date(), undefined, messages.notADate],
  ['a date', '31.01.2027', date(), undefined, messages.notADate],
  ['a date', '2027-01', date(), undefined, messages.notADate],
  ['a date', '+012027-01-31', date(), undefined, messages.notADate],
  ['a date', '', date(), undefined, messages.missingValue],
  ['a date', '2027-01-01', date({ min: DAY }), undefined, messages.outOfRange(DAY, undefined)],
  ['a date', '2027-01-03', date({ max: DAY }), undefined, messages.outOfRange(undefined, DAY)],
  ['a range of one day', DAY, ONE_DAY, DAY],
  ['a line', 'a\r\nb', text(), 'a b'],
  ['several lines', ' a\r\n b\rc ', text({ multiline: true }), 'a\n b\nc'],
  ['a text of at most 3', 'abc', text({ maxLength: 3 }), 'abc'],
  ['a text of at most 3', 'abcd', text({ maxLength: 3 }), undefined, messages.tooLong(3)],
  ['an optional text', '', text({ optional: true }), undefined],
  ['a text', '', text(), undefined, messages.missingValue],
  ['a list', 'pro', plan(), 'pro'],
  ['a list', 'Pro', plan(), undefined, messages.notAChoice],
  ['a list', 'constructor', plan(), undefined, messages.notAChoice],
  ['a list', '', plan(), undefined, messages.missingValue],
  ['an optional list', '', plan({ optional: true }), undefined],
  ['a list with spaces', ' pro ', plan({ options: { ' pro ': 'Pro' } }), ' pro '],
  ['a box', '', box(), false],
  ['a box', 'on', box(), true],
  ['a required box', 'on', box({ required: true }), true],
  ['a required box', '', box({ required: true }), undefined, 'Check this box.'],
])('%s reads %j', (_, entered, field, value, problem) => {
  expect(field.read(entered, messages)).toEqual(problem === undefined ? { value } : { problem })
})
