import { find, full, json, type Parts, type Seed, seeds, show, text } from './seed.ts'

/** A valid component of each type, with wrong values of its fields. */
const TEXT = { type: 'text', label: 'Note', value: 'Value' }
const COMPONENTS: Readonly<
  Record<
    string,
    readonly [valid: Record<string, unknown>, wrong: Readonly<Record<string, readonly unknown[]>>]
  >
> = {
  text: [
    TEXT,
    {
      label: [undefined, null, 7, {}],
      value: [undefined, null, 7, true, ['a'], {}],
      icon_url: [7, '', 'javascript:alert(1)', 'logo.png'],
    },
  ],
  date_time: [
    { type: 'date_time', label: 'At', value: '2026-11-23T12:00:00Z' },
    {
      label: [undefined, 7],
      value: [
        undefined,
        null,
        1_700_000_000,
        'yesterday',
        '2026-11-23',
        '2026-11-23T12:00:00',
        '23.11.2026 12:00',
        '2026-13-01T00:00:00Z',
        '',
      ],
    },
  ],
  badge: [
    { type: 'badge', label: 'State', items: [{ value: 'Active', color: 'green' }] },
    {
      label: [undefined, null],
      items: [
        undefined,
        null,
        {},
        ['Active'],
        [{ value: 'a' }],
        [{ color: 'green' }],
        [{ value: 'a', color: 'teal' }],
        [{ value: 7, color: 'green' }],
        [{ value: 'a', color: 'Green' }],
        'Active',
      ],
    },
  ],
  button: [
    { type: 'button', label: 'Open', button_type: 'link', url: 'https://a.example/' },
    {
      label: [undefined, 7],
      button_type: [undefined, 'submit', null],
      url: [
        undefined,
        null,
        '',
        'a.example',
        '/path',
        'javascript:alert(1)',
        'data:text/html,x',
        'https://a b.example/',
        7,
      ],
    },
  ],
  link: [
    { type: 'link', label: 'Docs', url: 'https://a.example/' },
    {
      label: [undefined, null],
      url: [
        undefined,
        null,
        '',
        'docs',
        'javascript:alert(1)',
        'vbscript:x',
        'https://a.example/ x',
        [],
      ],
    },
  ],
  card: [
    { type: 'card', header: { title: 'Card' }, components: [TEXT] },
    {
      header: [7, 'Card', { title: 7 }, { title: 'A', icon_url: 'x y' }],
      components: [
        undefined,
        null,
        {},
        'x',
        [null],
        ['x'],
        [{ type: 'card', components: [TEXT] }],
        [{ type: 'chart' }],
      ],
    },
  ],
}
const without = (valid: Record<string, unknown>, field: string, value: unknown) => ({
  ...valid,
  [field]: value,
})
const shown = (component: unknown): Parts => ({
  data: ({ id }) => {
    const found = find(id)
    const payload = found === undefined ? show(text('Result', 'No such customer')) : full(found)
    return json({ ...payload, components: [...payload.components, component] })
  },
})
const SCHEMA_RULES = [
  'field-required',
  'field-type',
  'date-time',
  'badge-color',
  'uri',
  'uri-scheme',
  'button-type',
  'component-object',
  'component-type',
  'card-nested',
  'security-script-url',
]
const schema = (rules: readonly string[]) =>
  Object.entries(COMPONENTS).flatMap(([type, [valid, wrong]]) =>
    Object.entries(wrong).flatMap(([field, values]) =>
      values.flatMap((value, index) => {
        const bad = without(valid, field, value)
        const inCard =
          type === 'card'
            ? []
            : seeds('schema', rules, {
                [`${type}-${field}-${index}-in-card`]: () =>
                  shown({ type: 'card', header: { title: 'C' }, components: [TEXT, bad] }),
              })
        return [
          ...seeds('schema', rules, { [`${type}-${field}-${index}`]: () => shown(bad) }),
          ...(index % 2 === 0 ? inCard : []),
        ]
      }),
    ),
  )
const whole =
  (change: object | ((payload: ReturnType<typeof show>) => unknown)): (() => Parts) =>
  () => ({
    data: ({ id }) => {
      const found = find(id)
      const payload = found === undefined ? show(text('Result', 'No such customer')) : full(found)
      return json(
        typeof change === 'function' ? (change(payload) as string) : { ...payload, ...change },
      )
    },
  })
const payloads = (rules: readonly string[]) =>
  seeds('schema', rules, {
    'version-number': whole({ version: 1 }),
    'version-absent': whole({ version: undefined }),
    'header-null': whole({ header: null }),
    'header-absent': whole({ header: undefined }),
    'header-title-number': whole({ header: { title: 5 } }),
    'header-icon-relative': whole({ header: { title: 'A', icon_url: '/i.png' } }),
    'components-object': whole({ components: { 0: TEXT } }),
    'components-absent': whole({ components: undefined }),
    'component-null': whole((payload) => ({
      ...payload,
      components: [...payload.components, null],
    })),
    'component-string': whole((payload) => ({
      ...payload,
      components: [...payload.components, 'x'],
    })),
    'component-unknown': whole((payload) => ({
      ...payload,
      components: [...payload.components, { type: 'image', src: 'x' }],
    })),
    'component-type-capitals': whole((payload) => ({
      ...payload,
      components: [...payload.components, { ...TEXT, type: 'Text' }],
    })),
  })

const TEXTS: Readonly<Record<string, string>> = {
  undefined: 'undefined',
  null: 'null',
  none: 'None',
  nan: 'NaN',
  object: '[object Object]',
  'invalid-date': 'Invalid Date',
  'go-nil': '<nil>',
  'go-percent': '%!d(string=x)',
  'go-struct': '{Name:Priya Age:3}',
  'go-pointer': '0xc0000140a8',
  'go-map': 'map[name:Priya seats:3]',
  'year-one': '0001-01-01T00:00:00Z',
  epoch: '1970-01-01T00:00:00.000Z',
  'ruby-object': '#<User:0x000055d0c8a0>',
  'ruby-hash': '{:name=>"Priya", :seats=>3}',
  'ruby-hash-new': '{"name" => "Priya"}',
  'ruby-missing': 'translation missing: en.plan',
  'python-object': '<app.User object at 0x7f0c8a0b1c10>',
  'python-dict': "{'name': 'Priya', 'seats': 3}",
  'python-bytes': "b'Priya'",
  'python-decimal': "Decimal('12.50')",
  'python-datetime': 'datetime.datetime(2026, 11, 23, 12, 0)',
  'php-array': 'Array',
  mustache: 'Hello {{ owner.name }}',
  erb: '<%= owner.name %>',
  'js-template': 'Hello ${owner.name}',
  printf: 'Seats: %d',
  mojibake: 'MÃ¼ller GmbH',
  replacement: 'M\uFFFDller',
  infinity: 'Infinity',
  html: '<b>Priya</b>',
  entity: 'R&amp;D',
  markdown: '**Priya**',
  exception: 'TypeError: x is not a function',
  econn: 'connect ECONNREFUSED 10.0.0.1:5432',
  sql: 'SQLSTATE[42S02]: no table',
  bidi: 'Priya \u202Egnp.exe',
  control: 'Priya\u0007',
  dsn: 'postgres://admin:hunter2@db/app',
  json: '{"name":"Priya","seats":3}',
  'json-list': '["pro","eu"]',
  'js-map': "Map(1) { 'plan' => 'pro' }",
  'js-buffer': '<Buffer 50 72 69 79 61>',
  'js-function': '(order) => order.total',
  'js-symbol': 'Symbol(active)',
  'java-array': '[Ljava.lang.String;@1b6d3586',
  'java-object': 'com.acme.Invoice@2f',
  'java-optional': 'Optional[Priya]',
  'data-class': 'Customer(name=Priya, seats=3)',
  'csharp-list': 'System.Collections.Generic.List`1[System.String]',
  perl: 'HASH(0x55d0c8a1)',
  elixir: '%{name: "Priya"}',
  rust: 'Some("Priya")',
  'go-time': '2026-11-23 12:00:00.123 +0000 UTC m=+0.001',
  'php-object': 'stdClass Object\n(\n    [name] => Priya\n)',
  'ruby-missing-new': '[missing "en.orders.title" translation]',
  'template-filter': '{{ name|upper }}',
  'template-helper': '{{t "orders.title"}}',
  'template-tag': '{% if paid %}Paid',
  'format-positions': 'Hello {0}, you owe {1}',
  'format-names': 'Hello {first_name}',
  'mojibake-cyrillic': 'Ð¡ÐµÑ€Ð³ÐµÐ¹',
  ssn: 'SSN 536-22-8084',
  'portal-password': 'Password: Winter!2026',
  'mojibake-euro': 'â‚¬ 12',
}
const texts = (rules: readonly string[]) =>
  Object.entries(TEXTS).flatMap(([id, value]) =>
    seeds('texts', rules, { [`text-${id}`]: () => shown({ type: 'text', label: 'Note', value }) }),
  )
const LINKS: Readonly<Record<string, string>> = {
  password: 'https://admin:hunter2@a.example/x',
  user: 'https://admin@a.example/x',
  email: 'https://a.example/?u=priya@northwind.example',
  token: 'https://a.example/?token=abcdefgh12345678',
  'password-encoded': 'https://admin:hunter%402@a.example/x',
  'password-in-a-query': 'https://a.example/?next=https%3A%2F%2Fadmin%3Ahunter2%40b.example%2F',
  'token-in-a-fragment': 'https://a.example/#access_token=abcdefghijklmnop',
  'signature-of-a-store':
    'https://b.s3.amazonaws.com/f.pdf?X-Amz-Signature=fe5f80f77d5fa3beca038a248ff027d0445342fe',
  'key-with-a-hyphen': 'https://a.example/?api-key=abcdefgh12345678',
  'session-in-the-path': 'https://a.example/orders;jsessionid=8F2D1B7C9A334E55',
  jwt: 'https://a.example/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.x',
}
const ICONS: Readonly<Record<string, object>> = {
  password: {
    type: 'text',
    label: 'Logo',
    value: 'own',
    icon_url: 'https://a:hunter2@a.example/i',
  },
  token: {
    type: 'card',
    header: { title: 'Logo', icon_url: 'https://a.example/i?token=abcdefgh12345678' },
    components: [TEXT],
  },
}
const icons = (rules: readonly string[]) =>
  Object.entries(ICONS).flatMap(([id, component]) =>
    seeds('texts', rules, { [`icon-${id}`]: () => shown(component) }),
  )
const links = (rules: readonly string[]) =>
  Object.entries(LINKS).flatMap(([id, url]) =>
    seeds('texts', rules, { [`link-${id}`]: () => shown({ type: 'link', label: 'More', url }) }),
  )

/** Invalid payloads, and texts that code prints by mistake. */
export const payloadSeeds: readonly Seed[] = [
  ...schema(SCHEMA_RULES),
  ...payloads(['payload-version', 'payload-header', 'payload-components', ...SCHEMA_RULES]),
  ...texts(['text-serialized', 'text-markup', 'text-error-message', 'text-personal-data']),
  ...links(['url-personal-data']),
  ...icons(['url-personal-data']),
]
