import { describe, expect, test } from 'vitest'
import {
  badge,
  button,
  card,
  dateTime,
  divider,
  isSidecardError,
  link,
  payload,
  section,
  text,
  validatePayload,
} from 'sidecard'
import { catchInvalid } from '../../helpers/catch-invalid.ts'

const url = 'https://example.com/a'

describe('the return values of builders', () => {
  test('is the contract’s component, with the fields in the contract’s order', () => {
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

  test('is a plain, unfrozen copy of the argument', () => {
    const items = [{ value: 'Active', color: 'green' as const }]
    const made = badge({ label: 'Status', items })
    expect(Object.isFrozen(made)).toBe(false)
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
    expect(made.items).not.toBe(items)
    expect(made.items[0]).not.toBe(items[0])
  })

  test('omits undefined fields', () => {
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

  test('has a title without an icon, and an icon on a date', () => {
    expect(card({ header: { title: 'Plan' }, components: [] })).toStrictEqual({
      type: 'card',
      header: { title: 'Plan' },
      components: [],
    })
    const date = { label: 'At', value: '0000-06-01T00:00:00.000Z', icon_url: url }
    expect(dateTime({ ...date, value: new Date(date.value) })).toStrictEqual({
      type: 'date_time',
      ...date,
    })
  })

  test('flattens nested arrays', () => {
    const components = [divider(), divider(), divider(), divider()] as const
    const [one, two, three, four] = components
    const nested = [one, [two, [false, [three]], []], null, [[four]]] as const
    expect(card({ components: nested }).components).toStrictEqual(components)
    expect(payload({ header: { title: '' }, components: nested }).components).toStrictEqual(
      components,
    )
  })

  test('drops absent components', () => {
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

describe('builders reject', () => {
  // Each row has one mistake that the types forbid; `as never` bypasses them.
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
      'a misspelled field',
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
    ['milliseconds', () => dateTime({ label: '', value: 0 as never }), 'value', 'invalid_type'],
    ['an array of components', () => card([divider()] as never), '', 'invalid_type'],
    [
      'a title on a card',
      () => card({ title: 'a', components: [] } as never),
      'title',
      'unknown_field',
    ],
    [
      'a header without a title',
      () => card({ header: {} as never, components: [] }),
      'header.title',
      'missing_field',
    ],
    [
      'items that are none',
      () => badge({ label: '', items: 'x' } as never),
      'items',
      'invalid_type',
    ],
    ['a hole', () => badge({ label: '', items: [undefined] } as never), 'items[0]', 'invalid_type'],
    [
      'a color',
      () => badge({ label: '', items: [{ value: '', color: 'grey' }] } as never),
      'items[0].color',
      'invalid_color',
    ],
    ['a script', () => link({ label: '', url: 'javascript:alert(1)' }), 'url', 'script_uri'],
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
      'unawaited_promise',
    ],
    [
      'a section in a card',
      () => card({ components: [false, section('x', () => null) as never] }),
      'components[1]',
      'invalid_component',
    ],
    ['true', () => card({ components: [true as never] }), 'components[0]', 'invalid_component'],
    ['no components', () => card({} as never), 'components', 'missing_field'],
    [
      'components that are none',
      () => card({ components: 'x' } as never),
      'components',
      'invalid_type',
    ],
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
      () => payload({ version: '1', header: { title: '' }, components: [] } as never),
      'version',
      'unknown_field',
    ],
    ['a title', () => section(7 as never, () => null), 'title', 'invalid_type'],
    ['no function to load', () => section('a', 'b' as never), 'load', 'invalid_type'],
  ])('%s', (_, call, path, code) => {
    const error = catchInvalid(call)
    expect(error.issues).toMatchObject([{ path, code }])
    expect(error.code).toBe('invalid_component')
    expect(isSidecardError(error)).toBe(true)
  })

  test('names the builder, the path, the problem and the fix', () => {
    const wrong = { label: 'Status', items: [{ value: 'Late', color: 'grey' }] }
    expect(catchInvalid(() => badge(wrong as never)).message).toBe(
      'badge(): items[0].color: "grey" is not an allowed color. Use "gray".',
    )
  })

  test('starts the stack at the caller', () => {
    const callerOfLink = () => link({ label: 'a', url: 'nowhere' })
    const frames = catchInvalid(callerOfLink).stack?.split('\n    at ') ?? []
    expect(frames[1]).toContain('callerOfLink')
  })
})

test.each<[() => unknown, string]>([
  [
    () => text({ label: 'Seats', value: 7 as never }),
    'text(): value: must be a string, got a number. Write String(value).',
  ],
  [
    () => dateTime({ label: '', value: Date.now() as never }),
    'dateTime(): value: must be an RFC 3339 date-time, got a number. Write new Date(value * 1000).toISOString() if it is in seconds, or new Date(value).toISOString() if it is in milliseconds.',
  ],
  [
    () => card([divider()] as never),
    'card(): expects one argument: an object with the fields. Write card({ components: […] }).',
  ],
  [
    () => card({ title: 'Plan', components: [] } as never),
    'card(): title: a card has no field "title". Move it into "header".',
  ],
  [
    () => text(undefined as never),
    'text(): expects one argument: an object with the fields. Pass an object.',
  ],
  [
    () => card({ components: [Promise.resolve(divider()) as never] }),
    'card(): components[0]: is a promise: await it. Write await before it.',
  ],
  [
    () => card({ components: [section('a', () => null) as never] }),
    'card(): components[0]: is a section, which renders as a card. Return it from fetchData next to the cards.',
  ],
  [
    () => link({ label: 7, url: '/a' } as never),
    'link():\n  - label: must be a string, got a number. Write String(value).\n  - url: must be a URI, got one without a scheme. Start with https://.',
  ],
])('explains the problem and the fix: %#', (call, message) => {
  expect(catchInvalid(call).message).toBe(message)
})

describe('URIs', () => {
  test('may have any scheme, because the app decides which it sends', () => {
    for (const href of ['mailto:help@example.com', 'tel:+31201234567', 'slack://channel?id=C1']) {
      expect(link({ label: 'Write', url: href }).url).toBe(href)
      expect(button({ label: 'Write', url: href }).url).toBe(href)
    }
  })

  test.each(['javascript:alert(1)', 'DATA:text/html,x', 'vbscript:x', 'java\tscript:alert(1)'])(
    'are never %j',
    (uri) => {
      expect(catchInvalid(() => link({ label: '', url: uri })).issues).toMatchObject([
        { path: 'url', code: 'script_uri', fix: 'Use an https URL.' },
      ])
      expect(catchInvalid(() => button({ label: '', url: uri })).issues[0]?.code).toBe('script_uri')
      const icon = () => text({ label: '', value: '', icon_url: uri })
      expect(catchInvalid(icon).issues[0]?.code).toBe('script_uri')
    },
  )

  test('of icons are http or https', () => {
    const icon_url = 'mailto:help@example.com'
    for (const call of [
      () => text({ label: '', value: '', icon_url }),
      () => dateTime({ label: '', value: new Date(0), icon_url }),
      () => card({ header: { title: '', icon_url }, components: [] }),
      () => payload({ header: { title: '', icon_url }, components: [] }),
    ]) {
      expect(catchInvalid(call).issues).toMatchObject([{ code: 'invalid_uri_scheme' }])
    }
  })
})
