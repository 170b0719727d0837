import { expect, it } from 'vitest'
import { button, card, dateTime, link, noAuth, sidecard, text, type Child } from 'sidecard'
import { createTestService } from 'sidecard/testing'

const LONG = 'A note that is longer than a line of the terminal, and ends here'

/** Returns the snapshot of an issue of an app with these components. */
async function snapshot(...children: readonly Child[]): Promise<string> {
  const app = sidecard({
    header: { title: 'Billing' },
    auth: noAuth(),
    logger: false,
    fetchData: () => [...children],
  })
  return (await createTestService(app).openIssue()).snapshot
}

const orders = card({
  header: { title: 'Orders' },
  components: [text({ label: '#1', value: '9' })],
})
const note = text({ label: 'Note', value: LONG })
const open = link({ label: 'Open', url: 'https://admin.example/1' })

it('contains every field, with a line for each component', async () => {
  expect(await snapshot(note, orders, open)).toBe(`rendered
{"version":"1.0.0","header":{"title":"Billing"}}
  {"type":"text","label":"Note","value":"${LONG}"}
  {"type":"card","header":{"title":"Orders"}}
    {"type":"text","label":"#1","value":"9"}
  {"type":"link","label":"Open","url":"https://admin.example/1"}
`)
})

it.each<readonly [string, readonly Child[]]>([
  ['a link', [note, orders, link({ label: 'Open', url: 'https://admin.example/2' })]],
  ['the end of a long text', [text({ label: 'Note', value: `${LONG}.` }), orders, open]],
  ['the order', [orders, note, open]],
])('shows a change of %s', async (_what, children) => {
  expect(await snapshot(...children)).not.toBe(await snapshot(note, orders, open))
})

it('masks dates and trace IDs', async () => {
  const at = (value: string) => dateTime({ label: 'Placed', value })
  const first = await snapshot(at('2026-11-24T12:00:00Z'))
  expect(first).toContain('{"type":"date_time","label":"Placed","value":"date-time"}')
  expect(first).toBe(await snapshot(at('2027-01-01T00:00:00Z')))
  const failing = () => snapshot(Promise.reject(new Error('x')))
  expect(await failing()).toBe(await failing())
  expect(await failing()).toMatch(/^failed\n[^]*trace-id/)
})

it('masks the tokens of action links', async () => {
  const part = 'eyJhbGciOiJkaXIifQ..'
  const withToken = (token: string) =>
    snapshot(button({ label: 'Refund', url: `https://a.example/actions?t=${part}${token}.b.c` }))
  expect(await withToken('first')).toBe(await withToken('second'))
  expect(await withToken('first')).toContain('https://a.example/actions?t=token')
})

it('is the outcome and the reason of an error state', async () => {
  const app = {
    fetch: ({ url }: Request) =>
      Response.json(/verify/.test(url) ? { code: 'code-1' } : { version: '1.0.0' }),
  }
  const { snapshot: shown } = await createTestService(app).openIssue()
  expect(shown).toMatch(/^invalid_payload\n\(error state: header: is missing/)
})
