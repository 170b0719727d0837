import { expect, it } from 'vitest'
import { SPECIAL_TEXTS } from '../../../src/tools/check/probes/dimensions.ts'
import { check, type CheckOptions, type Report } from '../../../src/tools/check/index.ts'
import { OPTIONS, redRules } from '../../farm/farm.ts'
import { endpoint, LUMEN, NORTHWIND } from '../../farm/seed.ts'
import { draw } from '../../helpers/draw.ts'

const NAMES = 'the names of both customers'

/** What the response to one request of a run is replaced by. */
const BROKEN = {
  [NAMES]: () =>
    Response.json(
      { error: `Ask ${NORTHWIND.name} or ${LUMEN.name}.` },
      { headers: { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } },
    ),
  'a page with a stack': () =>
    new Response('<pre>TypeError: rows is undefined\n    at load (/srv/app/rows.js:12:9)</pre>', {
      status: 500,
      headers: { 'content-type': 'text/html' },
    }),
}

const SETS: Readonly<Record<string, CheckOptions>> = {
  'two customers with texts': OPTIONS,
  'two customers without texts': {
    ...OPTIONS,
    customers: OPTIONS.customers!.map(({ ids }) => ({ ids })),
  },
  'no customer': { ...OPTIONS, customers: [] },
  'no expected authentication': { ...OPTIONS, expectAuth: 'detect' },
  'the profile for production': { ...OPTIONS, profile: 'production' },
}

/** Checks a conformant endpoint, of which one response is replaced. */
async function run(options: CheckOptions, replaced = -1, respond?: () => Response) {
  const handle = endpoint({})
  const sent: string[] = []
  const send = (request: Request, connection?: object) => {
    sent.push(new URL(request.url).search)
    return sent.length - 1 === replaced ? respond!() : handle(request, connection)
  }
  const report = await check('http://127.0.0.1:1/', {
    ...options,
    isolationSamples: 2,
    samples: 2,
    fetch: async (request) => send(request),
    openConnection() {
      const connection = {}
      return {
        send: async (request) => send(request, connection),
        wasReused: () => true,
        hasExtraBytes: () => false,
        close: () => undefined,
      }
    },
    sleep: async () => undefined,
  })
  return { report, sent }
}

const findings = ({ results }: Report) =>
  results.flatMap((result) => result.findings.map(({ message }) => `${result.rule} ${message}`))

it.each(
  Object.entries(SETS).flatMap(([name, options]) =>
    Object.entries(BROKEN)
      // Without texts, nothing says whose names these are.
      .filter(([what]) => what !== NAMES || options.customers?.some(({ shows }) => shows?.length))
      .map(([what, respond]) => ({ name, what, options, respond })),
  ),
)(
  'with $name, $what in any one response is found',
  { timeout: 240_000 },
  async ({ name, what, options, respond }) => {
    const { report: whole, sent } = await run(options)
    expect(redRules(whole)).toEqual([])
    const before = new Set(findings(whole))
    const unjudged: string[] = []
    // The special texts differ in nothing else.
    const isSpecial = (query: string) =>
      SPECIAL_TEXTS.slice(1).some(({ text }) => query.includes(encodeURIComponent(text)))
    const places = [...sent.keys()].filter((index) => !isSpecial(sent[index]!))
    for (const index of draw(places, 30, `${name} ${what}`)) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const { report, sent: queries } = await run(options, index, respond)
      if (findings(report).every((line) => before.has(line))) unjudged.push(queries[index]!)
    }
    expect(sent.length).toBeGreaterThan(50)
    expect(unjudged).toEqual([])
  },
)
