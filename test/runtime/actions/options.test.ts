import { audit, serverTiming } from 'sidecard'
import { action, actions, memoryReceipts, textField } from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
import { z } from 'zod/mini'
import {
  AGENT,
  createActionApp,
  createExtendTrial,
  PUBLIC_URL,
  SECRET,
} from '../../helpers/actions.ts'

const field = textField({ label: 'Reason' })
const extendTrial = createExtendTrial()

/** Lists values of an option for which the message is the same. */
const each = (message: string, name: string, ...values: unknown[]) =>
  values.map((value): [string, object] => [message, { [name]: value }])

function create(change: object) {
  const valid = { name: 'a', label: 'A', input: z.object({}), show: () => [], run: () => [] }
  const options: object = { ...valid, ...change }
  return () => action()(options as never)
}

const NAME =
  "name must be at most 40 lowercase letters, digits and hyphens, such as 'extend-trial'."
const INPUT = 'input must be a Standard Schema, such as z.object({ … }).'
const FORM =
  'form must be an object of fields, such as { days: numberField({ … }) }, or a function that returns one.'

describe('action()', () => {
  test.each<[string, object]>([
    ...each(NAME, 'name', '', 'Extend', '1a', '-a', 'a b', 'a!', 'x'.repeat(41), ['extend']),
    ...each(INPUT, 'input', null, 'schema', 7, {}, () => []),
    ...each(FORM, 'form', 7, [field], { days: 7 }, { reason: field, days: {} }),
    ...each(FORM, 'form', { 'a b': field }, { ' a': field }, { 'a!': field }, { '!': field }),
    ['label must be a non-empty string.', { label: ' ' }],
    ['show must be a function.', { show: [] }],
    ['timeoutMs must be an integer from 1 to 20000 (milliseconds).', { timeoutMs: 20_001 }],
  ])('says that %s (%o)', (message, change) => {
    expect(create(change)).toThrow(`action: ${message}`)
    expect(create(change)).toThrow(expect.objectContaining({ code: 'invalid_options' }))
  })

  test.each<[string, object]>([
    ['a name of one letter', { name: 'a' }],
    ['a name of 40 characters', { name: 'a1-'.padEnd(40, 'x') }],
    [
      'a schema that is a function',
      { input: Object.assign(() => [], { '~standard': z.object({})['~standard'] }) },
    ],
    ['a form from a function', { form: () => ({}) }],
    ['fields with several letters', { form: { reason: field, a_1: field } }],
  ])('accepts %s', (_, change) => {
    expect(create(change)).not.toThrow()
  })
})

describe('button()', () => {
  test.each([
    [{ lable: 'x' }, 'button: there is no option "lable". Did you mean label?'],
    [{ label: '' }, 'button: label must be a non-empty string.'],
  ])('rejects the options %o', (options, message) => {
    expect(() => extendTrial.button({ accountId: 'a' }, options as never)).toThrow(message)
  })

  test('has the label of the action, or its own', () => {
    const label = (options?: object) => extendTrial.button({ accountId: 'a' }, options).label
    expect([label(), label({ label: 'More' })]).toEqual(['Extend trial', 'More'])
  })

  /** A schema that reports an issue at a path. */
  const failAt = (path: unknown) => ({
    '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ path }] }) },
  })

  test.each<[unknown, string]>([
    [['accountId'], 'is invalid at accountId.'],
    [['lines', 0, { key: 'id' }], 'is invalid at lines.0.id.'],
    [['x'.repeat(40)], `is invalid at ${'x'.repeat(40)}.`],
    [['x'.repeat(41)], 'is invalid.'],
    [['ok', 'a b'], 'is invalid.'],
    [['-a'], 'is invalid.'],
    [['a-'], 'is invalid.'],
    [[], 'is invalid.'],
    [undefined, 'is invalid.'],
  ])('names the place %j of an invalid input', (path, message) => {
    const failing = create({ input: failAt(path) })() as typeof extendTrial
    expect(() => failing.button({ accountId: 's3cret' })).toThrow(`a.button: the input ${message}`)
    expect(() => failing.button({ accountId: 's3cret' })).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    )
  })

  test('rejects what is not JSON, and leaves no rejection unhandled', async () => {
    const cycle: any = { accountId: 'a' }
    cycle.self = cycle
    expect(() => extendTrial.button(cycle)).toThrow('extend-trial.button: the input is not JSON.')
    const input = { accountId: Promise.reject(new Error('x')) } as never
    expect(() => extendTrial.button(input)).toThrow('is invalid at accountId')
    const validate = () => Promise.reject(new Error('y'))
    const schema = { '~standard': { version: 1, vendor: 'test', validate } }
    const later = create({ input: schema })() as typeof extendTrial
    expect(later.button({ accountId: 'a' }).type).toBe('button')
    await new Promise((resolve) => setTimeout(resolve, 1))
  })
})

describe('actions()', () => {
  const valid = {
    list: [extendTrial],
    publicUrl: PUBLIC_URL,
    secret: SECRET,
    signIn: () => AGENT,
    receipts: memoryReceipts(),
  }
  const LIST = 'list must be an array of actions with different names, created by action().'
  const URL_ =
    'publicUrl must be an http or https URL without a query, or a function of the bindings.'
  const TIME_ZONE = 'timeZone must be an IANA time zone, such as Europe/Berlin.'

  test.each<[string, object]>([
    ...each(LIST, 'list', undefined, {}, [], [7], [extendTrial, {}], [() => []]),
    ...each(LIST, 'list', [extendTrial, extendTrial]),
    ...each(URL_, 'publicUrl', 'ftp://a', 'https://', 'xhttps://a', 'https://a b', 7),
    ...each(URL_, 'publicUrl', 'https://a/b?c', 'https://a/b#c', 'https://u@a'),
    [
      "secret must be a secret of at least 32 characters (openssl rand -hex 32), an array of them, a function of the bindings, or { binding: 'SIDECARD_ACTION_SECRET' }.",
      { secret: 7 },
    ],
    [
      'receipts must be receipts, such as memoryReceipts(), or a function of the bindings.',
      { receipts: {} },
    ],
    [
      "signIn must be openIdConnect(…), cloudflareAccess(…), trustedHeader('x-auth-request-email'), anyAgent() or your own function.",
      { signIn: 'oidc' },
    ],
    ...each(TIME_ZONE, 'timeZone', 'Mars', '', 7, ['UTC']),
    ['keepDays must be an integer from 2 to 3650 (days).', { keepDays: 1 }],
    ['expiresSeconds must be an integer from 60 to 86400 (seconds).', { expiresSeconds: 59 }],
    ['messages must be an object.', { messages: 'de' }],
    ['there is no option "expireSeconds". Did you mean expiresSeconds?', { expireSeconds: 1 }],
    ['messages.lang must be a non-empty string.', { messages: { lang: '' } }],
    ['messages.confirmedBy must be a function.', { messages: { confirmedBy: 'x' } }],
    ['messages.done must be a string.', { messages: { done: () => 'x' } }],
  ])('says that %s (%o)', (message, change) => {
    expect(() => actions({ ...valid, ...change })).toThrow(`actions: ${message}`)
  })

  test.each<[string, object]>([
    ...each('a URL', 'publicUrl', 'http://a', 'HTTPS://AB', 'https://ab/cd/', 'https://ab:8443/c'),
    ['functions of the bindings', { publicUrl: () => PUBLIC_URL, receipts: () => valid.receipts }],
    ['two actions', { list: [extendTrial, createExtendTrial({ name: 'other' })] }],
    ['a time zone', { timeZone: 'Europe/Berlin' }],
    ['an empty message', { messages: { done: '' } }],
  ])('accepts %s: %o', (_, change) => {
    expect(() => actions({ ...valid, ...change })).not.toThrow()
  })

  test('requires an audit() if nothing may run without its record', () => {
    const message =
      'actions: requireAudit must be false, unless the option instrument of sidecard() has an audit().'
    const createApp = (instrument: never) => () =>
      createActionApp(extendTrial, { requireAudit: true }, { instrument })
    expect(createApp([serverTiming()] as never)).toThrow(message)
    expect(createApp([serverTiming(), audit(() => undefined)] as never)).not.toThrow()
  })

  test('does not share its scheme with URLs of the app', () => {
    expect(() => createActionApp(extendTrial, {}, { uriSchemes: ['sidecard-action'] })).toThrow(
      'sidecard: uriSchemes must be a list without sidecard-action.',
    )
  })
})
