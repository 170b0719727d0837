import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validatePayload } from 'sidecard/schema'
import { PAYLOAD_ISSUE_CODES } from '../../../src/runtime/contract/issues.ts'
import { createTestService } from 'sidecard/testing'
import { allPayloadRules, ruleForIssue } from '../../../src/tools/service/response-rules/index.ts'
import { cpuMs } from '../../helpers/cpu-ms.ts'

const text = (value: unknown, label: unknown = 'Plan') => ({ type: 'text', label, value })
const link = (url: unknown) => ({ type: 'link', label: 'Open', url })

/** Opens an issue with an endpoint that returns this payload. */
async function open(payload: unknown) {
  const service = createTestService({
    fetch(request: Request) {
      const code = new URL(request.url).searchParams.get('code')
      return Response.json(code === null ? payload : { code })
    },
  })
  return service.openIssue()
}

function openComponents(...components: readonly unknown[]) {
  return open({ version: '1.0.0', header: { title: 'Billing' }, components })
}

describe('the rules about a payload', () => {
  it('cover each validation issue at each path with one rule', () => {
    const paths = [
      '',
      'version',
      'header',
      'header.title',
      'components',
      'components[3]',
      'components[3].type',
      'components[3].url',
      'components[0].components[12].type',
      'components[0].header',
      'components[0].header.icon_url',
      'components[1].items[0].color',
      '["odd name"]',
    ]
    const used = new Set<string>()
    for (const code of PAYLOAD_ISSUE_CODES) {
      for (const path of paths) used.add(ruleForIssue(code, path).id)
    }
    const ids = allPayloadRules.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const advice = [
      'payload-version-known',
      'payload-header-title',
      'component-empty',
      'label-unique',
      'text-serialized',
      'text-markup',
      'text-error-message',
      'text-personal-data',
      'url-personal-data',
    ]
    expect([...used].sort()).toEqual(
      [...ids.filter((id) => !advice.includes(id)), 'data-json'].sort(),
    )
  })

  it.each([
    [{ header: {}, components: [] }, 'payload-version', 'version', 'Add "version": "1.0.0".'],
    [{ version: 1, header: {}, components: [] }, 'payload-version', 'version', 'String(value)'],
    [{ version: '1.0.0', header: null, components: [] }, 'payload-header', 'header', '.'],
    [{ version: '1.0.0', header: {}, components: {} }, 'payload-components', 'components', '.'],
    [{ version: '1.0.0', header: { title: 7 }, components: [] }, 'field-type', 'header.title', '.'],
    [
      { versoin: '1.0.0', header: {}, components: [] },
      'payload-version',
      'version',
      'Add "version"',
    ],
  ])('report the fields of %j', async (payload, rule, path, fix) => {
    const { outcome, findings } = await open(payload)
    expect(outcome).toBe('invalid_payload')
    expect(findings[0]).toMatchObject({
      rule,
      path,
      level: 'MUST',
      fix: expect.stringContaining(fix),
    })
  })

  it.each([
    [null, 'component-object', '', '.'],
    [{ label: 'x' }, 'component-type', '.type', '.'],
    [{ type: 'Text', label: 'x', value: 'y' }, 'component-type', '.type', '"text"'],
    [
      { type: 'card', components: [{ type: 'card', components: [] }] },
      'card-nested',
      '.components[0].type',
      '.',
    ],
    [{ type: 'text', value: 'y' }, 'field-required', '.label', '"label"'],
    [text(42), 'field-type', '.value', 'String(value)'],
    [
      { type: 'badge', label: 'x', items: [{ value: 'y', color: 'grey' }] },
      'badge-color',
      '.items[0].color',
      '"gray"',
    ],
    [
      { type: 'button', label: 'x', url: 'https://x.example/' },
      'field-required',
      '.button_type',
      '"button_type": "link"',
    ],
    [
      { type: 'button', label: 'x', button_type: 'go', url: 'https://x.example/' },
      'button-type',
      '.button_type',
      '"link"',
    ],
    [{ type: 'divider', label: 'x' }, 'divider-fields', '.label', '.'],
    [{ type: 'date_time', label: 'x', value: '2026-11-21' }, 'date-time', '.value', 'Add the time'],
    [
      { type: 'card', header: 'Plan', components: [text('x')] },
      'field-type',
      '.header',
      'an object',
    ],
    [
      { type: 'card', header: { icon_url: 'icon.png' }, components: [text('x')] },
      'uri',
      '.header.icon_url',
      'https://',
    ],
    [link('/orders/1'), 'uri', '.url', 'https://'],
    [link('javascript:alert(1)'), 'security-script-url', '.url', 'https'],
    [link('data:text/html,x'), 'security-script-url', '.url', 'https'],
    [link('VBScript:x'), 'security-script-url', '.url', 'https'],
  ])('report %j with the rule, the path and an exact fix', async (component, rule, path, fix) => {
    const { outcome, findings } = await openComponents(component)
    const isUnknown = rule === 'component-type' || rule === 'card-nested'
    expect(outcome).toBe(isUnknown ? 'unknown_component' : 'invalid_payload')
    const [found] = findings.filter(({ level }) => level === 'MUST')
    expect(found).toMatchObject({
      rule,
      path: `components[0]${path}`,
      fix: expect.stringContaining(fix),
    })
  })

  it('warn about unspecified cases, and accept the default URI schemes', async () => {
    const warned = await openComponents({ ...link('slack://open'), note: 1 })
    expect(warned.outcome).toBe('rendered')
    expect(warned.findings.map(({ rule, level }) => [rule, level])).toEqual([
      ['uri-scheme', 'ASSUMED'],
      ['unknown-fields', 'ASSUMED'],
    ])
    const accepted = await openComponents(link('mailto:help@example.com'), {
      ...link('tel:+15550100'),
      label: 'Call',
    })
    expect(accepted).toMatchObject({ outcome: 'rendered', findings: [] })
    const other = await open({ version: '2', header: {}, components: [] })
    expect(other.outcome).toBe('rendered')
    expect(other.findings.map(({ rule }) => rule)).toEqual([
      'payload-version-known',
      'payload-header-title',
    ])
  })

  it('list a thousand validation issues, and count the others', async () => {
    const { findings } = await openComponents(...Array.from({ length: 5_000 }, () => null))
    expect(findings).toHaveLength(1_001)
    expect(findings.slice(0, 1_000).every(({ rule }) => rule === 'component-object')).toBe(true)
    expect(findings.at(-1)).toMatchObject({
      rule: 'component-object',
      message: '4000 more validation issues are not listed',
    })
    const most = await openComponents(...Array.from({ length: 100_000 }, () => null))
    expect(most.findings.at(-1)?.message).toBe(
      'at least 10000 more validation issues are not listed',
    )
  })

  it('agree with validatePayload() about any JSON', async () => {
    const key = fc.constantFrom(
      'version',
      'header',
      'components',
      'type',
      'label',
      'value',
      'url',
      'items',
      'title',
      'x',
    )
    const leaf = fc.oneof(
      fc.constantFrom(
        'text',
        'card',
        'badge',
        'link',
        '1.0.0',
        'https://x.example/',
        'javascript:x',
      ),
      fc.jsonValue({ maxDepth: 1 }),
    )
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc.dictionary(key, tie('tree'), { maxKeys: 6 }),
        fc.array(tie('tree'), { maxLength: 4 }),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(fc.dictionary(key, tree, { maxKeys: 5 }), async (payload) => {
        const sent: unknown = JSON.parse(JSON.stringify(payload))
        const { findings } = await open(sent)
        const validation = validatePayload(sent, { maxIssues: 1_000 })
        const issues = validation.ok ? [] : validation.issues
        expect(
          findings.slice(0, issues.length).map(({ path = '', message }) => [path, message]),
        ).toEqual(issues.map(({ path, message }) => [path, message]))
        expect(findings.slice(issues.length).every(({ level }) => level !== 'MUST')).toBe(true)
      }),
    )
  })
})

describe('the advice about a valid payload', () => {
  it.each([
    ['text-serialized', text('undefined')],
    ...[
      'Account { name: "Jane" }',
      'Account { Name = Jane }',
      'Some("Pro")',
      'Just "Pro"',
      'List(a, "b")',
      'Map(a -> 1)',
      '<<"Pro">>',
      '#{name => pro}',
      '<0.123.0>',
      '#PID<0.12.0>',
      '%Account{name: "Jane"}',
      '{error,enoent}',
      "Instance of 'Account'",
      'Object id #3',
      'Promise { <pending> }',
      'async function load() {',
    ].map((printed): [string, ReturnType<typeof text>] => ['text-serialized', text(printed)]),
    ['text-serialized', text('undefined undefined')],
    ['text-serialized', text('[object Object]')],
    ['text-serialized', text('Orders: [object Promise]')],
    ['text-serialized', text('NaN €')],
    ['text-serialized', text('Invalid Date')],
    ['text-serialized', text('x', 'null')],
    [
      'text-serialized',
      { type: 'badge', label: 'Status', items: [{ value: 'undefined', color: 'gray' }] },
    ],
    ['text-markup', text('<b>Gold</b>')],
    ['text-serialized', text(`undefined ${'x'.repeat(50)}`)],
    ['text-markup', text('a<br/>b')],
    ['text-markup', text('<h2>Gold</h2>')],
    ['text-markup', text('Tom &amp; Jerry')],
    ['text-markup', text('<a href="https://x.example">docs</a>')],
    ['text-markup', text('1&nbsp;249')],
    ['text-markup', text('&#8364; 20')],
    ['text-markup', text('&#x20AC; 20')],
    ['text-markup', text('**Gold** plan')],
    ['text-markup', text('see [docs](https://x.example/a)')],
    ['text-markup', text('# Title\ntext')],
    ['text-error-message', text('connect ECONNREFUSED 10.0.0.5:5432')],
    ['text-error-message', text("TypeError: Cannot read properties of undefined (reading 'plan')")],
    ['text-error-message', text('java.lang.IllegalStateException: closed')],
    ['text-error-message', text('Uncaught RangeError: too long')],
    ['text-error-message', text('Error: db down')],
    ['text-error-message', text('account.plan is not a function')],
    ['text-error-message', text('failed\n    at load (file:///app.js:1:2)')],
    [
      'text-error-message',
      text('psycopg2.errors.UndefinedTable: relation "accounts" does not exist'),
    ],
    ['component-empty', { type: 'card', components: [] }],
    ['component-empty', { type: 'badge', label: 'Status', items: [] }],
    ['url-personal-data', link('https://x.example/search?q=ada@example.com')],
    ['url-personal-data', link('https://x.example/u/ada%40example.com')],
    ['url-personal-data', link('https://x.example/?access_token=0123456789abcdef')],
    ['url-personal-data', link('https://x.example/?idtoken=0123456789abcdef')],
    ['url-personal-data', link('https://x.example/?id_token=0123456789abcdef')],
    ['url-personal-data', link('https://x.example/sk_live_0a1b2c3d')],
    ['url-personal-data', link('https://x.example/ghp_0123456789abcdefghij')],
    ['url-personal-data', link('https://x.example/xoxb-0123456789')],
    ['url-personal-data', link('https://x.example/AKIAIOSFODNN7EXAMPLE')],
    [
      'url-personal-data',
      link('https://x.example/#eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc'),
    ],
  ])('is %s for %j, and never fails', async (rule, component) => {
    const { outcome, findings } = await openComponents(component)
    expect(outcome).toBe('rendered')
    expect(findings.map((found) => found.rule)).toEqual([rule])
    expect(findings[0]?.level).not.toBe('MUST')
    expect(findings[0]?.path).toMatch(/^components\[0\]\./)
  })

  it.each([
    text('The behavior is undefined for empty carts, see the handbook of the accounting team.'),
    text(`undefined ${'x'.repeat(51)}`),
    text('5 < 7 and 9 > 3, a & b'),
    text('2 * 3 * 4 = 24'),
    text('#1 customer'),
    text('Nan Goldin'),
    text('Null Island Ltd'),
    text('TypeError: x is not a function', 'Last error'),
    text('ada@example.com'),
    link('https://x.example/@ada/1'),
    link('https://x.example/?key=7'),
    link('https://user@x.example/'),
    link('mailto:ada@example.com'),
  ])('does not mention %j', async (component) => {
    expect((await openComponents(component)).findings).toEqual([])
  })

  it('names another version, and a header without a title', async () => {
    const { findings } = await open({ version: '2.0.0', header: {}, components: [] })
    expect(findings).toMatchObject([
      { path: 'version', message: 'the version is "2.0.0"' },
      { path: 'header.title', message: 'the header has no title' },
    ])
  })

  it('finds labels that repeat within a card, but not across cards', async () => {
    const card = (...components: readonly unknown[]) => ({ type: 'card', components })
    const { findings } = await openComponents(
      card(text('a'), text('b')),
      card(text('c')),
      text('d'),
    )
    expect(findings).toMatchObject([
      {
        rule: 'label-unique',
        path: 'components[0].components[1].label',
        message: 'has the same label as components[0].components[0]',
      },
    ])
  })

  it.each([
    [['a', 'a'], ['[1]']],
    [['a', 'b', 'a'], ['[2]']],
    [
      ['a', 'a', 'a'],
      ['[1]', '[2]'],
    ],
    [['Order 1', 'Placed', 'Order 2', 'Placed'], []],
    [['Order 1', 'Placed', 'Total', 'Order 2', 'Placed', 'Total'], []],
    [['Order 1', 'Placed', 'Placed', 'Order 2', 'Placed'], ['[2]']],
    [['Placed', 'Total', null, 'Placed', 'Total'], []],
    [['Placed', null, 'Placed', 'Placed'], ['[3]']],
  ])('finds the repeated labels of %j', async (labels, expected) => {
    const components = labels.map((label) =>
      label === null ? { type: 'divider' } : text('x', label),
    )
    const { findings } = await openComponents(...components)
    expect(findings.map(({ path }) => path)).toEqual(
      expected.map((place) => `components${place}.label`),
    )
  })

  it('is limited, and takes linear time for hostile texts', async () => {
    const many = await openComponents(
      ...Array.from({ length: 500 }, (_, index) => text('undefined', `Label ${index}`)),
    )
    expect(many.findings).toHaveLength(20)
    const hostile = [
      '<a '.repeat(50_000),
      '**a'.repeat(50_000),
      '[a]('.repeat(50_000),
      '&#1'.repeat(50_000),
      'a.'.repeat(50_000),
      'null '.repeat(50_000),
      `${'a@a.'.repeat(20_000)}!`,
    ]
    const startedAt = process.cpuUsage()
    await openComponents(
      ...hostile.map((value, index) => text(value, `Label ${index}`)),
      link(`https://x.example/?q=${'a@a-'.repeat(20_000)}`),
    )
    expect(cpuMs(startedAt)).toBeLessThan(2_000)
  })
})
