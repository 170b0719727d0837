import { describe, expect, test } from 'vitest'
import {
  badge,
  button,
  card,
  dateTime,
  divider,
  InvalidComponentError,
  isSection,
  isSidecardError,
  link,
  payload,
  section,
  text,
  validatePayload,
} from 'sidecard'

const url = 'https://example.com/a'

/** What a builder throws; the test fails when it does not. */
function refusal(call: () => unknown): InvalidComponentError {
  try {
    call()
  } catch (error) {
    if (error instanceof InvalidComponentError) return error
    throw error
  }
  throw new Error('the builder accepted it')
}

describe('what builders return', () => {
  test('is the contract’s component, fields in the contract’s order', () => {
    const components = [
      text({ value: 'Pro', label: 'Plan', icon_url: url }),
      dateTime({ label: 'Renews', value: '2026-11-21T09:30:00Z' }),
      badge({ label: 'Status', items: [{ color: 'green', value: 'Active' }] }),
      button({ url, label: 'Open' }),
      link({ label: 'Docs', url }),
      divider(),
    ]
    expect(JSON.stringify(components)).toBe(
      JSON.stringify([
        { type: 'text', label: 'Plan', value: 'Pro', icon_url: url },
        { type: 'date_time', label: 'Renews', value: '2026-11-21T09:30:00Z' },
        { type: 'badge', label: 'Status', items: [{ value: 'Active', color: 'green' }] },
        { type: 'button', label: 'Open', button_type: 'link', url },
        { type: 'link', label: 'Docs', url },
        { type: 'divider' },
      ]),
    )
    const whole = payload({
      header: { title: 'Billing', icon_url: url },
      components: [card({ header: { title: 'Plan' }, components }), divider()],
    })
    expect(validatePayload(whole)).toEqual({ ok: true, payload: whole })
  })

  test('is plain, unfrozen and apart from the argument', () => {
    const items = [{ value: 'Active', color: 'green' as const }]
    const made = badge({ label: 'Status', items })
    expect(Object.isFrozen(made)).toBe(false)
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
    expect(made.items).not.toBe(items)
    expect(made.items[0]).not.toBe(items[0])
  })

  test('leaves out what was given as undefined', () => {
    expect(text({ label: 'a', value: 'b', icon_url: undefined })).toStrictEqual({
      type: 'text',
      label: 'a',
      value: 'b',
    })
    expect(card({ header: undefined, components: [] })).toStrictEqual({
      type: 'card',
      components: [],
    })
  })

  test('drops children that stand for nothing', () => {
    const one = divider()
    const children = [false, null, undefined, '', 0, one] as const
    expect(card({ components: children }).components).toStrictEqual([one])
    expect(payload({ header: { title: '' }, components: children }).components).toStrictEqual([one])
  })

  test('writes a Date as RFC 3339 in UTC', () => {
    const value = new Date(Date.UTC(2026, 10, 21, 9, 30))
    expect(dateTime({ label: 'At', value }).value).toBe('2026-11-21T09:30:00.000Z')
  })
})

describe('what builders refuse', () => {
  // Each row is wrong in one way that the types forbid; `as never` forces it through.
  test.each<[string, () => unknown, string, string]>([
    ['no argument', () => text(undefined as never), '', 'invalid_type'],
    ['null', () => button(null as never), '', 'invalid_type'],
    ['a string', () => link('x' as never), '', 'invalid_type'],
    ['no label', () => text({ value: 'a' } as never), 'label', 'missing_field'],
    ['a number', () => text({ label: 'a', value: 7 } as never), 'value', 'invalid_type'],
    [
      'a null icon',
      () => text({ label: '', value: '', icon_url: null } as never),
      'icon_url',
      'invalid_type',
    ],
    [
      'a misspelt field',
      () => text({ label: '', value: '', iconUrl: url } as never),
      'iconUrl',
      'unknown_field',
    ],
    [
      'its own type',
      () => text({ type: 'text', label: '', value: '' } as never),
      'type',
      'unknown_field',
    ],
    [
      'a date alone',
      () => dateTime({ label: '', value: '2026-11-21' }),
      'value',
      'invalid_date_time',
    ],
    [
      'an invalid Date',
      () => dateTime({ label: '', value: new Date(Number.NaN) }),
      'value',
      'invalid_date_time',
    ],
    [
      'a Date too late',
      () => dateTime({ label: '', value: new Date(8e15) }),
      'value',
      'invalid_date_time',
    ],
    ['no date', () => dateTime({ label: '' } as never), 'value', 'missing_field'],
    ['no fields', () => dateTime(undefined as never), '', 'invalid_type'],
    [
      'items that are none',
      () => badge({ label: '', items: 'x' } as never),
      'items',
      'invalid_type',
    ],
    ['a hole', () => badge({ label: '', items: [undefined] } as never), 'items[0]', 'invalid_type'],
    [
      'a colour',
      () => badge({ label: '', items: [{ value: '', color: 'grey' }] } as never),
      'items[0].color',
      'invalid_color',
    ],
    [
      'a script',
      () => link({ label: '', url: 'javascript:alert(1)' }),
      'url',
      'invalid_uri_scheme',
    ],
    ['a relative URL', () => button({ label: '', url: '/admin' }), 'url', 'invalid_uri'],
    [
      'a button type',
      () => button({ label: '', url, button_type: 'submit' } as never),
      'button_type',
      'invalid_button_type',
    ],
    [
      'a null button type',
      () => button({ label: '', url, button_type: null } as never),
      'button_type',
      'invalid_type',
    ],
    [
      'a card in a card',
      () => card({ components: [divider(), card({ components: [] }) as never] }),
      'components[1].type',
      'nested_card',
    ],
    [
      'an unknown type',
      () => card({ components: [{ type: 'dateTime' } as never] }),
      'components[0].type',
      'unknown_component',
    ],
    [
      'a child without type',
      () => card({ components: [{} as never] }),
      'components[0].type',
      'missing_field',
    ],
    [
      'a promise',
      () => card({ components: [Promise.resolve() as never] }),
      'components[0]',
      'invalid_type',
    ],
    [
      'a section in a card',
      () => card({ components: [false, section('x', () => null) as never] }),
      'components[1]',
      'invalid_type',
    ],
    ['true', () => card({ components: [true as never] }), 'components[0]', 'invalid_type'],
    ['no components', () => card({} as never), 'components', 'invalid_type'],
    [
      'a header title',
      () => card({ header: { title: 7 } as never, components: [] }),
      'header.title',
      'invalid_type',
    ],
    ['a card field', () => card({ components: [], title: '' } as never), 'title', 'unknown_field'],
    ['no header', () => payload({ components: [] } as never), 'header', 'missing_field'],
    [
      'a version',
      () => payload({ version: '1', header: {}, components: [] } as never),
      'version',
      'unknown_field',
    ],
    ['a title', () => section(7 as never, () => null), 'title', 'invalid_type'],
    ['a promise to load', () => section('a', Promise.resolve() as never), 'load', 'invalid_type'],
    [
      'a timeout',
      () => section('a', () => null, { timeoutMs: Number.NaN }),
      'options.timeoutMs',
      'invalid_type',
    ],
    [
      'a section icon',
      () => section('a', () => null, { icon_url: 'x' }),
      'options.icon_url',
      'invalid_uri',
    ],
  ])('%s', (_, call, path, code) => {
    const error = refusal(call)
    expect(error.issues).toMatchObject([{ path, code }])
    expect(error.code).toBe('invalid_component')
    expect(isSidecardError(error)).toBe(true)
  })

  test('says the builder, the path, what is wrong and the fix', () => {
    const wrong = { label: 'Status', items: [{ value: 'Late', color: 'grey' }] }
    expect(refusal(() => badge(wrong as never)).message).toBe(
      'badge(): items[0].color "grey" is not a colour: did you mean "gray"?',
    )
  })

  test('puts the caller on top of the stack', () => {
    const callerOfLink = () => link({ label: 'a', url: 'nowhere' })
    const frames = refusal(callerOfLink).stack?.split('\n    at ') ?? []
    expect(frames[1]).toContain('callerOfLink')
  })
})

describe('URI schemes', () => {
  test('are http and https unless an option names others', () => {
    const mail = { label: 'Write', url: 'mailto:help@example.com' }
    expect(refusal(() => link(mail)).issues[0]?.code).toBe('invalid_uri_scheme')
    expect(link(mail, { uriSchemes: ['mailto'] }).url).toBe(mail.url)
    expect(button(mail, { uriSchemes: ['https', 'mailto'] }).url).toBe(mail.url)
  })
})

describe('section', () => {
  test('is a marker that is no component', () => {
    const load = () => [divider()]
    const made = section('Errors', load, { timeoutMs: 1500, icon_url: url })
    expect(isSection(made)).toBe(true)
    expect(made).toMatchObject({ title: 'Errors', load, timeoutMs: 1500, icon_url: url })
    expect(isSection(divider())).toBe(false)
    expect(isSection({ ...divider(), title: 'x', load })).toBe(false)
    expect(isSection(null)).toBe(false)
  })
})
