import { describe, expect, it } from 'vitest'
import { addTrailers } from '../../../src/tools/service/endpoint/trailers.ts'
import { checkParts } from '../../farm/farm.ts'
import { find, json, LUMEN, NORTHWIND, type Parts, respond, show, text } from '../../farm/seed.ts'
import { HEADERS } from '../../fixtures/endpoints/reference.ts'
import { ENCODINGS, KEYS } from './encodings.ts'
import FORMS from './searched-forms.json' with { type: 'json' }

const QUICK = { isolationSamples: 2, samples: 1, profile: 'production' } as const
const NAME = 'x-shown'

/** The places of a value in a response. */
const PLACES: Readonly<Record<string, (value: string) => Response>> = {
  'reason phrase': (value) => new Response('{}', { status: 400, statusText: value }),
  'header x-shown': (value) => json({}, 400, { [NAME]: value }),
  'trailer x-shown': (value) => addTrailers(json({}, 400), () => ({ [NAME]: value })),
  error: (value) => json({ error: value }, 400),
  'errors[0].detail.text': (value) => json({ errors: [{ detail: { text: value } }] }, 400),
  'a name': (value) => json({ [value]: 1 }, 400),
  body: (value) => new Response(`<p>${value}</p>`, { status: 400 }),
  'body that is a JSON string': (value) => json(JSON.stringify(value), 400),
  'body that is not UTF-8': (value) =>
    new Response(Buffer.from(`é ${value}`, 'latin1'), { status: 400 }),
  'body in UTF-16': (value) =>
    new Response(Buffer.from(`no: ${value}`, 'utf16le'), { status: 400 }),
}

/** The kinds of values, with the rule that searches for each. */
const KINDS: Readonly<Record<string, readonly [rule: string, value: string]>> = {
  'a stack trace': ['errors-stack', 'at com.acme.Widget.load(Widget.java:42)'],
  'a password of a server': ['errors-stack', 'amqp://widget:s3cret@queue.internal:5672/'],
  'a text of a customer': ['security-isolation', LUMEN.name],
  'the secret': ['security-header-echo', HEADERS['x-key']],
}

/** Returns the findings of one rule about an endpoint. */
async function findings(rule: string, parts: Parts) {
  const customers = rule === 'security-isolation' ? {} : { customers: [] }
  const report = await checkParts(parts, { ...QUICK, ...customers, only: [rule] })
  return report.results.flatMap((result) => result.findings)
}

/** Shows a value to every customer but the second one. */
const shows = (value: string): Parts => ({
  data: ({ id }) => {
    const account = find(id)
    if (account === undefined || account === LUMEN) return respond(account)
    return json(show(text('Name', account.name), text('Note', value)))
  },
})

describe('a response is searched', () => {
  it.each(Object.entries(KINDS))(
    'in each place for %s: no cell is empty',
    async (_kind, [rule, value]) => {
      const empty: string[] = []
      for (const [place, respondWith] of Object.entries(PLACES)) {
        // oxlint-disable-next-line no-await-in-loop -- one endpoint after the other
        const found = await findings(rule, { rejected: () => respondWith(value) })
        const path = place === 'a name' ? found[0]?.path : place.replace(/^body .*/, 'body')
        if (found.length !== 1 || found[0]?.path !== path) empty.push(place)
      }
      expect(empty).toEqual([])
    },
  )

  it('even if the request is repeated because the rate is limited', async () => {
    let count = 0
    const data: Parts['data'] = ({ id }) =>
      (count += 1) === 9
        ? json({ error: 'amqp://widget:s3cret@queue:5672/' }, 503, { 'retry-after': '0' })
        : respond(find(id))
    expect(await findings('errors-stack', { data })).toHaveLength(1)
  })

  const rows = (forms: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(forms).flatMap(([name, list]) => list.map((form) => [name, form] as const))

  it.each(rows(FORMS.stacks))('for stack traces: %s, %s', async (_language, trace) => {
    expect(
      await findings('errors-stack', { rejected: () => json({ error: trace }, 500) }),
    ).toMatchObject([{ path: 'error' }])
  })

  it.each(rows(FORMS.internals))('for errors of servers: %s, %s', async (_kind, error) => {
    const [rejected, unknown] = [json({ error }, 400), json(show(text('Error', error)))]
    expect(await findings('errors-stack', { rejected: () => rejected.clone() })).toHaveLength(1)
    const data = ({ id }: { readonly id: string }) =>
      find(id) === undefined ? unknown.clone() : respond(find(id))
    const report = await checkParts({ data }, { ...QUICK, only: ['errors-stack'] })
    expect(report.results[0]?.findings).toMatchObject([{ path: 'components[0].value' }])
  })

  const withHeader = (name: string, value: string): Parts => ({
    data: ({ id }) => json(show(text('Id', id)), 200, { [name]: value }),
  })

  it.each(rows(FORMS.hosts))('for internals in headers: %s, %s', async (_kind, value) => {
    expect(await findings('errors-stack', withHeader('x-debug', value))).toMatchObject([
      { level: 'MUST', path: 'header x-debug' },
    ])
  })

  it.each([
    ['x-app', '10.4.2.1 (build 77)'],
    ['server', 'acme/10.4.2.1'],
    ['x-version', '10.4.2.1:77'],
    ['location', 'http://localhost:3000/login'],
    ['via', '1.1 proxy.corp.local (squid)'],
    ['x-cache', 'MISS from proxy.corp.local:3128'],
    ['content-security-policy', 'frame-ancestors https://support.corp.internal'],
    ['x-forwarded-for', '10.0.0.7:4711'],
    ['x-handler', 'com.acme.billing.internal'],
    ['x-file', 'app.settings.local.json'],
    ['x-upstream', 'http://203.0.113.7:8081'],
    ['x-key-id', 'arn:aws:kms:eu-west-1:481516234299:key/1'],
  ])('but a header %s may be %s', async (name, value) => {
    expect(await findings('errors-stack', withHeader(name, value))).toEqual([])
  })

  it.each(rows(FORMS.personal))('for personal data: %s, %s', async (label, value) => {
    const parts = { data: () => json(show(text(label, value))) }
    expect(await findings('text-personal-data', parts)).toMatchObject([
      { level: 'SHOULD', path: 'components[0].value' },
    ])
  })

  it.each([
    ['Order', '536-22-8084'],
    ['SSN', '•••-••-8084'],
    ['Password', '2026-10-01T08:00:00Z'],
    ['Password', 'changed 5 days ago'],
    ['Password', '•••••••9x'],
    ['Password', 'bcrypt-12'],
    ['Password policy', 'Ab3!defg'],
    ['Note', 'The password: required. Password is reset2'],
  ])('but %s may be %s', async (label, value) => {
    const parts = { data: () => json(show(text(label, value))) }
    expect(await findings('text-personal-data', parts)).toEqual([])
  })

  it.each(rows(FORMS.passwords))('for passwords of servers: %s, %s', async (_kind, address) => {
    const parts = { data: () => json(show(text('Name', 'Acme'), text('Note', address))) }
    expect(await findings('errors-stack', parts)).toMatchObject([
      { level: 'MUST', path: 'components[1].value' },
    ])
  })

  const notes = (note: string) => ({
    data: () => json(show(text('Name', 'Acme'), text('Note', note))),
  })

  it.each(rows(KEYS))('for keys and cards: %s, %s', async (_kind, key) => {
    expect(await findings('errors-stack', notes(key))).toMatchObject([
      { level: 'MUST', path: 'components[1].value', fix: expect.stringMatching(/^Remove it/) },
    ])
  })

  it.each([
    `pk_live_${'a1B2c3'.repeat(4)}`,
    `sk_test_${'a1B2c3'.repeat(4)}`,
    'sk_live_… ends with 9nD3',
    '4111 1111 1111 1112',
    '9826 1111 1111 1111',
    '4111 1111 1111 1111 23',
    'GB82 WEST 4111 1111 1111 1111',
    '•••• •••• •••• 1111',
    'ORDER-4111 1111 1111 1111',
    '-----BEGIN PUBLIC KEY-----',
    'SELECT * FROM orders',
    'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
    'https://api.slack.com/messaging/webhooks',
    'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc',
    'eyJhbGciOiJub25lIn0.eyJub3QganNvbi1.abc',
    "ENOENT: no such file or directory, open '/home/ada/export.csv'",
    'Server 10.0.0.5:8080 (db.prod.internal) is down',
  ])('but not for %s', async (note) => {
    expect(await findings('errors-stack', notes(note))).toEqual([])
  })

  it.each([
    'Select one plan from the list.',
    'Update the contract and set a date.',
    'FROM SELECT Ltd',
    'The file /reports/may.csv was not found.',
    'Access denied for user jo',
    'Permission denied',
    'You are seeing this error because you have no plan.',
    'Whoops! There was an error in ORA-12345.',
    'The role "Admin" does not exist.',
    '/api/v1/accounts:3',
    'https://a.example/src/app.py:33',
    'No such account',
    'The connection to server 7 was closed.',
  ])('but an error may say %s', async (error) => {
    expect(await findings('errors-stack', { rejected: () => json({ error }, 401) })).toEqual([])
  })

  it('for passwords in links, which fail the run', async () => {
    const link = { type: 'link', label: 'Logs', url: 'https://app:s3cret@logs.example/' }
    const parts: Parts = { data: ({ id }) => json(show(text('Id', id), link)) }
    expect(await findings('errors-stack', parts)).toMatchObject([
      { level: 'MUST', path: 'components[1].url' },
    ])
  })

  it.each(Object.entries(FORMS.printed))(
    'for values that code printed: %s',
    async (_language, values) => {
      const parts = {
        data: () => json(show(...values.map((value, at) => text(`Note ${at}`, value)))),
      }
      const found = await findings('text-serialized', parts)
      const paths = values.map((_value, at) => `components[${at}].value`)
      expect(found.map(({ path }) => path?.replace(/ .*/, ''))).toEqual(paths)
    },
  )

  it.each(Object.entries(ENCODINGS))('for texts of other customers: %s', async (_name, encode) => {
    expect(await findings('security-isolation', shows(encode(LUMEN.name)))).toMatchObject([
      { path: 'components[1].value' },
    ])
    expect(await findings('security-isolation', shows(encode(NORTHWIND.name)))).toEqual([])
  })

  it.each(rows(FORMS.caches))('for headers of shared caches: %s, %s', async (name, value) => {
    const respondWith = () => json(show(text('Name', 'Acme')), 200, { [name.toLowerCase()]: value })
    expect(await findings('security-cache', { data: respondWith })).toHaveLength(1)
  })
})
