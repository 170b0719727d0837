/**
 * What building, checking and writing a realistic payload costs in process:
 * `node bench/encode.ts [rounds]`. The alternatives run in turns, so that a
 * noisy machine disturbs them alike; the medians of the rounds are printed.
 */
import { badge, button, card, dateTime, divider, link, text } from '../src/builders/index.ts'
import { payloadSchema } from '../src/contract/payload.ts'
import { validatePayload } from '../src/contract/validate.ts'
import { encodePayload } from '../src/contract/walk.ts'

const CALLS = 2_000
const rounds = Number(process.argv[2] ?? 60)
const header = { title: 'Billing', icon_url: 'https://cdn.example.com/icons/billing.png' }

/** Three cards, fifteen components, 1.9 KB: by the builders or by literals. */
function withBuilders(n: number) {
  return {
    version: '1.0.0',
    header,
    components: [
      card({
        header: { title: 'Plan' },
        components: [
          text({ label: 'Plan', value: `Enterprise ${n}` }),
          badge({
            label: 'Status',
            items: [
              { value: 'Active', color: 'green' },
              { value: 'Net 30', color: 'gray' },
            ],
          }),
          dateTime({ label: 'Renews', value: '2027-03-01T00:00:00Z' }),
          text({
            label: 'Account manager',
            value: 'Noor Haddad',
            icon_url: 'https://cdn.example.com/icons/user.png',
          }),
          button({
            label: 'Open in admin',
            url: 'https://admin.example.com/accounts/acc_93f2?tab=billing',
          }),
        ],
      }),
      card({
        header: { title: 'Last orders' },
        components: [
          text({ label: 'A-1041', value: '3 × Standing desk, oak\nShipped, arrives Tuesday' }),
          dateTime({ label: 'Ordered', value: '2026-11-17T16:20:11.120Z' }),
          link({ label: 'Invoice', url: 'https://billing.example.com/invoices/2026-1041.pdf' }),
          divider(),
          text({ label: 'A-1033', value: '1 × Monitor arm' }),
          badge({ label: 'State', items: [{ value: 'Returned', color: 'orange' }] }),
        ],
      }),
      card({
        header: { title: 'Usage' },
        components: [
          text({ label: 'Seats', value: '41 of 50' }),
          text({ label: 'API calls this month', value: '1,204,331' }),
          badge({ label: 'Errors', items: [{ value: '12 today', color: 'red' }] }),
          link({ label: 'Dashboard', url: 'https://app.example.com/orgs/7/usage#month' }),
        ],
      }),
    ],
  }
}

type Built = ReturnType<typeof withBuilders>
/** The same by literals, without any check. */
const source = JSON.stringify(withBuilders(7))
const literal = new Function(
  'n',
  `return ${source.replace('"Enterprise 7"', '`Enterprise ${n}`')}`,
) as (n: number) => Built

const contenders: { readonly [Name in string]: (n: number) => unknown } = {
  literals: literal,
  builders: withBuilders,
  'literals + JSON.stringify (unchecked)': (n) => JSON.stringify(literal(n)),
  'literals + encodePayload': (n) => encodePayload(literal(n)),
  'builders + JSON.stringify': (n) => JSON.stringify(withBuilders(n)),
  'builders + encodePayload (what the app does)': (n) => encodePayload(withBuilders(n)),
  'literals + validatePayload': (n) => validatePayload(literal(n)),
  'literals + zod + JSON.stringify': (n) => JSON.stringify(payloadSchema.parse(literal(n))),
}

const encoder = new TextEncoder()
/** The text is flattened and made bytes of, as a server does: a rope would be paid for later. */
function consume(result: unknown): number {
  if (typeof result === 'string') return encoder.encode(result).length
  const json = (result as { json?: unknown }).json
  return typeof json === 'string' ? encoder.encode(json).length : 1
}

const times = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]))
let sink = 0
for (let round = 0; round < rounds + 5; round++) {
  for (const [name, run] of Object.entries(contenders)) {
    const start = performance.now()
    for (let n = 0; n < CALLS; n++) sink += consume(run(n))
    const microseconds = ((performance.now() - start) * 1000) / CALLS
    if (round >= 5) times.get(name)?.push(microseconds)
  }
}

console.log(
  `${source.length} bytes, Node ${process.version}, medians of ${rounds} rounds (${sink % 7})`,
)
for (const [name, all] of times) {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)
  console.log(`${at(0.5).padStart(7)} µs  ${name}  (${at(0.1)}–${at(0.9)})`)
}
