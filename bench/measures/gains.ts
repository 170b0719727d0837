import { checkUri, isUri } from '../../src/runtime/contract/uri.ts'
import { isDate, isUrl } from '../../src/runtime/internal/hostile-values.ts'
import { figure, type Part, table } from '../page.ts'
import { inTurns } from '../samples.ts'

const WARM_UPS = 5
const CALLS = 2_000

interface Pair {
  readonly code: string
  readonly instead: string
  readonly run: (n: number) => unknown
  readonly plain: (n: number) => unknown
}

const OFFSET = { timeZone: 'Europe/Berlin', timeZoneName: 'longOffset', minute: 'numeric' } as const
const offset = new Intl.DateTimeFormat('en', OFFSET)
const EURO = { style: 'currency', currency: 'EUR' } as const
const formats = new Map([1, 2].map((key) => [`EUR ${key}`, new Intl.NumberFormat(['en'], EURO)]))
const urls = Array.from({ length: CALLS }, (_, n) => new URL(`https://example.com/${n}`))
const href = (n: number) => `https://admin.example.com/accounts/acc_${n}?tab=billing`

const PAIRS: readonly Pair[] = [
  {
    code: 'a pattern for common URLs (`checkUri()`)',
    instead: 'the grammar of RFC 3986 for every URL',
    run: (n) => checkUri(href(n)),
    plain: (n) => isUri(href(n)),
  },
  {
    code: 'a cache of `Intl` formats',
    instead: 'a new format for each value',
    run: (n) => formats.get(`EUR ${1 + (n % 2)}`)!.format(n),
    plain: (n) => new Intl.NumberFormat(['en'], EURO).format(n),
  },
  {
    code: 'the offset, cut out of the result of `format()`',
    instead: '`formatToParts()`',
    run: (n) => /[+-]\d\d:\d\d/.exec(offset.format(n * 3_600_000))?.[0],
    plain: (n) =>
      offset.formatToParts(n * 3_600_000).find(({ type }) => type === 'timeZoneName')?.value,
  },
  {
    code: '`instanceof URL` before the test for a date',
    instead: 'the test for a date, which throws for a URL',
    run: (n) => !(urls[n % CALLS] instanceof URL) && isDate(urls[n % CALLS]),
    plain: (n) => isDate(urls[n % CALLS]) || isUrl(urls[n % CALLS]),
  },
]

/** Measures code that is complicated for its speed, next to plain code. */
export async function measureGains(rounds: number): Promise<Part> {
  const rows: string[][] = []
  for (const { code, instead, run, plain } of PAIRS) {
    // oxlint-disable-next-line no-await-in-loop -- one after another, or they disturb each other
    const costs = await inTurns(
      { run: (round) => measure(run, round), plain: (round) => measure(plain, round) },
      rounds,
      WARM_UPS,
    )
    rows.push([code, instead, figure(costs.run), figure(costs.plain)])
  }
  return {
    goals: [],
    section: `## Code that is not plain

It is kept for the difference between the last two columns.

${table(['Code', 'Instead of', 'µs', 'µs instead'], rows)}`,
  }
}

function measure(run: (n: number) => unknown, round: number): number {
  let last: unknown
  const start = performance.now()
  for (let call = 0; call < CALLS; call += 1) last = run(round * CALLS + call)
  const microseconds = ((performance.now() - start) * 1_000) / CALLS
  if (last === Symbol.iterator) throw new Error('This keeps the results alive.')
  return microseconds
}
