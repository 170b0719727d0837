import { describe, expect, test } from 'vitest'
import {
  checkboxField,
  dateField,
  moneyField,
  numberField,
  postgresReceipts,
  selectField,
  textField,
  trustedHeader,
} from 'sidecard/actions'
import { DEFAULT_ACTION_MESSAGES as messages } from '../../../src/runtime/actions/messages.ts'

describe('a field is rejected at its creation', () => {
  test.each<[string, () => unknown, string]>([
    ['without a label', () => textField({} as never), 'textField: label'],
    ['with an unknown option', () => numberField({ label: 'x', mni: 1 } as never), 'numberField: '],
    ['of no options', () => checkboxField(undefined as never), 'checkboxField: '],
    [
      'with a number as hint',
      () => checkboxField({ label: 'x', hint: 7 } as never),
      'checkboxField: hint',
    ],
    [
      'of a number whose range is empty',
      () => numberField({ label: 'x', min: 2, max: 1 }),
      'numberField: max must be at least min.',
    ],
    [
      'of an amount whose range is empty',
      () => moneyField({ label: 'x', currency: 'EUR', min: 2, max: 1 }),
      'moneyField: max must be at least min.',
    ],
    [
      'with an amount of too many decimals',
      () => moneyField({ label: 'x', currency: 'JPY', max: { major: '120.50' } }),
      "moneyField: max must be an amount in minor units, or { major: '12.50' }, with at most 0 decimals.",
    ],
    [
      'with a fraction of a minor unit',
      () => moneyField({ label: 'x', currency: 'EUR', value: 10.5 }),
      'moneyField: value must be an amount in minor units',
    ],
    [
      'with a negative amount',
      () => moneyField({ label: 'x', currency: 'EUR', min: { major: '-1' } }),
      'moneyField: min must be an amount in minor units',
    ],
    [
      'with an amount that is a string',
      () => moneyField({ label: 'x', currency: 'EUR', max: '12' as never }),
      'moneyField: max must be an amount in minor units',
    ],
    [
      'of a date whose range is empty',
      () => dateField({ label: 'x', min: '2027-01-02', max: '2027-01-01' }),
      'dateField: max must be at least min.',
    ],
    [
      'with a day that does not exist',
      () => dateField({ label: 'x', min: '2027-02-30' }),
      "dateField: min must be a date such as '2027-01-31'.",
    ],
    [
      'with a date that is no text',
      () => dateField({ label: 'x', max: ['2027-01-31'] as never }),
      'dateField: max must be a date',
    ],
    [
      'with a step of 0',
      () => numberField({ label: 'x', step: 0 }),
      'numberField: step must be a positive number.',
    ],
    [
      'with a currency that is no text',
      () => moneyField({ label: 'x', currency: 978 as never }),
      'moneyField: currency must be an ISO 4217 code',
    ],
    [
      'without a choice',
      () => selectField({ label: 'x', options: {} }),
      'selectField: options must be an object with at least one value and its text.',
    ],
    [
      'with a choice without a name',
      () => selectField({ label: 'x', options: { ' ': 'None' } }),
      'selectField: options',
    ],
    [
      'with a choice whose text is a number',
      () => selectField({ label: 'x', options: { a: 'A', b: 7 } as never }),
      'selectField: options',
    ],
    [
      'with a default that is similar to a choice',
      () => selectField({ label: 'x', options: { team: 'Team' }, value: 'taem' as never }),
      'selectField: value must be "team".',
    ],
    [
      'with a default that is no choice',
      () => selectField({ label: 'x', options: { team: 'Team' }, value: 'zzzzzz' as never }),
      'selectField: value must be one of the options.',
    ],
    [
      'with a default that is a number',
      () => selectField({ label: 'x', options: { a: 'A' }, value: 7 as never }),
      'selectField: value must be a string',
    ],
  ])('%s', (_, create, message) => {
    expect(create).toThrow(message)
    expect(create).toThrow(expect.objectContaining({ code: 'invalid_options' }))
  })

  test('but not with a range of one value, or with one limit', () => {
    const limits = [{ min: 1 }, { max: 1 }, { min: 1, max: 1 }, {}]
    for (const limit of limits) {
      expect(() => numberField({ label: 'x', ...limit })).not.toThrow()
      expect(() => moneyField({ label: 'x', currency: 'EUR', ...limit })).not.toThrow()
    }
    expect(() => dateField({ label: 'x', min: '2027-01-01' })).not.toThrow()
    expect(() => dateField({ label: 'x', max: '2027-01-01' })).not.toThrow()
    expect(() => dateField({ label: 'x', min: '2027-01-01', max: '2027-01-01' })).not.toThrow()
  })
})

test('the messages of a range name what there is of it', () => {
  expect([
    messages.outOfRange(undefined, '8'),
    messages.outOfRange('1', undefined),
    messages.outOfRange('1', '8'),
  ]).toEqual(['Enter at most 8.', 'Enter at least 1.', 'Enter a value from 1 to 8.'])
})

test.each([
  [{}, { control: 'checkbox', optional: true, initial: '' }],
  [{ required: true }, { optional: false, initial: '' }],
  [{ value: true }, { optional: true, initial: 'on' }],
])('a checkbox with %j is shown as %j', (options, view) => {
  expect(checkboxField({ label: 'x', ...options }).view).toMatchObject(view)
})

test.each([
  [{ value: 1e21 }, { initial: `1${'0'.repeat(21)}` }],
  [{ value: 7 }, { initial: '7' }],
  [{ value: 1e-7 }, { initial: '0.0000001' }],
  [{ value: -12 }, { initial: '-12' }],
])('a number with %j is shown as %j', (options, view) => {
  expect(numberField({ label: 'x', ...options }).view).toMatchObject(view)
})

test.each([
  [textField({ label: 'x' }), { initial: '', maxLength: 1_000 }],
  [dateField({ label: 'x', max: '2027-01-31' }), { initial: '', min: undefined }],
  [numberField({ label: 'x' }), { initial: '' }],
  [moneyField({ label: 'x', currency: 'EUR' }), { initial: '' }],
])('a field without a value is empty', ({ view }, expected) => {
  expect(view).toMatchObject(expected)
})

test.each<[string, object, unknown]>([
  ['7', {}, { value: 7 }],
  [' 7 ', {}, { value: 7 }],
  ['-0', {}, { value: 0 }],
  ['', {}, { problem: messages.missingValue }],
  ['  ', { optional: true }, { value: undefined }],
  ['seven', {}, { problem: messages.notANumber }],
  ['1e3', {}, { problem: messages.notANumber }],
  ['0', { min: 1 }, { problem: messages.outOfRange('1', undefined) }],
  ['1', { min: 1 }, { value: 1 }],
  ['9', { max: 8 }, { problem: messages.outOfRange(undefined, '8') }],
  ['8', { max: 8 }, { value: 8 }],
  ['9', { min: 1, max: 8 }, { problem: messages.outOfRange('1', '8') }],
  ['1.5', {}, { problem: messages.notAStep('1') }],
  ['.25', { step: 0.01 }, { value: 0.25 }],
  ['4', { min: 1, step: 3 }, { value: 4 }],
  ['5', { min: 1, step: 3 }, { problem: messages.notAStep('3') }],
  ['0.5', { max: 1, step: 1e-12 }, { value: 0.5 }],
  ['99999999999.1234567891', { step: 1e-10 }, { problem: messages.tooPrecise }],
])('%j in a number with %j is %j', (entered, options, result) => {
  expect(numberField({ label: 'x', ...options }).read(entered, messages)).toEqual(result)
})

test.each<[string, object, unknown]>([
  ['10.50', {}, { value: 1_050 }],
  ['', {}, { problem: messages.missingValue }],
  ['ten', {}, { problem: messages.notANumber }],
  ['0.001', {}, { problem: messages.notAStep('0.01') }],
  ['0.99', { min: 100, max: 200 }, { problem: messages.outOfRange('1.00', '2.00') }],
  ['2.01', { min: 100, max: 200 }, { problem: messages.outOfRange('1.00', '2.00') }],
  ['2.00', { min: 100, max: 200 }, { value: 200 }],
  ['-1', {}, { problem: messages.outOfRange('0.01', undefined) }],
  ['0', { min: 0 }, { value: 0 }],
  ['120.5', { max: { major: '120.50' } }, { value: 12_050 }],
  ['120.51', { max: { major: '120.500' } }, { problem: messages.outOfRange('0.01', '120.50') }],
  ['120,50', { units: 'major' }, { value: '120.50' }],
  ['12345678901234567890.1', { units: 'major' }, { value: '12345678901234567890.10' }],
])('%j in an amount of EUR with %j is %j', (entered, options, result) => {
  const field = moneyField({ label: 'x', currency: 'EUR', ...options })
  expect(field.read(entered, messages)).toEqual(result)
})

test.each<[string, object, unknown]>([
  ['2027-01-31', {}, { value: '2027-01-31' }],
  ['2027-02-30', {}, { problem: messages.notADate }],
  ['31.01.2027', {}, { problem: messages.notADate }],
  ['2027-01', {}, { problem: messages.notADate }],
  ['+012027-01-31', {}, { problem: messages.notADate }],
  ['', {}, { problem: messages.missingValue }],
  ['2027-01-01', { min: '2027-01-02' }, { problem: messages.outOfRange('2027-01-02', undefined) }],
  ['2027-01-03', { max: '2027-01-02' }, { problem: messages.outOfRange(undefined, '2027-01-02') }],
  ['2027-01-02', { min: '2027-01-02', max: '2027-01-02' }, { value: '2027-01-02' }],
])('%j in a date with %j is %j', (entered, options, result) => {
  expect(dateField({ label: 'x', ...options }).read(entered, messages)).toEqual(result)
})

test.each<[string, object, unknown]>([
  ['a\r\nb', {}, { value: 'a b' }],
  [' a\r\n b\rc ', { multiline: true }, { value: 'a\n b\nc' }],
  ['abc', { maxLength: 3 }, { value: 'abc' }],
  ['abcd', { maxLength: 3 }, { problem: messages.tooLong(3) }],
  ['', { optional: true }, { value: undefined }],
  ['', {}, { problem: messages.missingValue }],
])('%j in a text with %j is %j', (entered, options, result) => {
  expect(textField({ label: 'x', ...options }).read(entered, messages)).toEqual(result)
})

test.each<[string, object, unknown]>([
  ['pro', {}, { value: 'pro' }],
  ['Pro', {}, { problem: messages.notAChoice }],
  ['constructor', {}, { problem: messages.notAChoice }],
  ['', {}, { problem: messages.missingValue }],
  ['', { optional: true }, { value: undefined }],
])('%j in a list with %j is %j', (entered, options, result) => {
  const field = selectField({ label: 'x', options: { pro: 'Pro' }, ...options })
  expect(field.read(entered, messages)).toEqual(result)
})

test('a choice may have spaces around it', () => {
  const { read } = selectField({ label: 'x', options: { ' pro ': 'Pro' } })
  expect(read(' pro ', messages)).toEqual({ value: ' pro ' })
})

describe('trustedHeader()', () => {
  test.each([
    'accounts.google.com',
    'https://accounts.google.com/',
    'https://accounts.google.com/x',
    7,
    '',
  ])('rejects %j as an origin', (origin) => {
    expect(() => trustedHeader('x-email', { signInOrigins: [origin as string] })).toThrow(
      'trustedHeader: signInOrigins must be an array of origins',
    )
  })

  test('keeps the origins, and rejects a name that is no header', () => {
    const signInOrigins = ['https://accounts.google.com', 'http://localhost:4180']
    expect(trustedHeader('x-email', { signInOrigins }).signInOrigins).toEqual(signInOrigins)
    expect(() => trustedHeader('x email')).toThrow('trustedHeader: the first argument')
  })
})

test.each([undefined, {}, 'postgres://'])('postgresReceipts() rejects %j', (query) => {
  expect(() => postgresReceipts(query as never)).toThrow(
    'postgresReceipts: the argument must be a function that runs a statement.',
  )
})
