import { checkUri, isUri } from '../../src/contract/uri.ts'
import { isDate, isUrl } from '../../src/internal/hostile-values.ts'
import { quantile } from '../statistics.ts'

const WARM_UP_ROUNDS = 5
const CALLS = 2_000

/** A piece of code that is more complicated than another one with the same result. */
export interface Gain {
  readonly code: string
  readonly instead: string
  readonly microseconds: number
  readonly plainMicroseconds: number
}

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
export function measureGains(rounds: number): Gain[] {
  return PAIRS.map(({ code, instead, run, plain }) => {
    const samples: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds + WARM_UP_ROUNDS; round += 1) {
      const costs = [measure(run, round), measure(plain, round)] as const
      if (round >= WARM_UP_ROUNDS)
        for (const side of [0, 1] as const) samples[side].push(costs[side])
    }
    const [microseconds, plainMicroseconds] = samples.map((list) => quantile(list, 0.1))
    return { code, instead, microseconds: microseconds!, plainMicroseconds: plainMicroseconds! }
  })
}

function measure(run: (n: number) => unknown, round: number): number {
  let last: unknown
  const start = performance.now()
  for (let call = 0; call < CALLS; call += 1) last = run(round * CALLS + call)
  const microseconds = ((performance.now() - start) * 1_000) / CALLS
  if (last === Symbol.iterator) throw new Error('This keeps the results alive.')
  return microseconds
}
