import { applyBaseline } from '../../src/tools/cli/commands/baseline.ts'
import { exitCodeOf } from '../../src/tools/check/report/report.ts'
import { checkParts, evaluateSeed, HARM, redRules, SEEDS } from './farm.ts'
import { json, type Parts, type Received, respond, find, type Seed } from './seed.ts'

/** Seeded defects that harm, and that a check with the usual options finds. */
export const HARMFUL = SEEDS.filter(
  ({ group, options }) => HARM.has(group) && options === undefined,
)

/** Changes the JSON of each response to a data fetch. */
const changeData =
  (change: (payload: Record<string, unknown> & { components?: unknown[] }) => unknown) =>
  (parts: Parts): Parts => ({
    ...parts,
    async data(received) {
      const response = await (parts.data?.(received) ?? respond(find(received.id)))
      const body = await response.text()
      const { status, statusText, headers } = response
      let text = body
      try {
        text = JSON.stringify(change(JSON.parse(body) as Record<string, unknown>))
      } catch {
        // The harmful defect already sends something else.
      }
      return new Response(text, { status, statusText, headers })
    },
  })

/** Changes the status or the headers of each response to a data fetch. */
const changeHead =
  (status: number | undefined, added: Record<string, string>) =>
  (parts: Parts): Parts => ({
    ...parts,
    async data(received: Received) {
      const response = await (parts.data?.(received) ?? respond(find(received.id)))
      const headers = new Headers(response.headers)
      for (const [name, value] of Object.entries(added)) headers.set(name, value)
      const init = { status: status ?? response.status, statusText: response.statusText, headers }
      return new Response(await response.arrayBuffer(), init)
    },
  })

const add = (component: object) =>
  changeData(({ components = [], ...rest }) => ({
    ...rest,
    components: [...components, component],
  }))

/** Defects that harm nobody, of endpoints that still respond. */
export const HARMLESS: Readonly<Record<string, (parts: Parts) => Parts>> = {
  'an invalid color': add({
    type: 'badge',
    label: 'State',
    items: [{ value: 'x', color: 'teal' }],
  }),
  'an unknown component': add({ type: 'chart' }),
  'no version': changeData((payload) => ({ ...payload, version: undefined })),
  'no components': changeData(({ components, ...rest }) => ({ ...rest, parts: components })),
  'a list instead of an object': changeData((payload) => [payload]),
  'another Content-Type': changeHead(undefined, { 'content-type': 'text/html' }),
  'status 201': changeHead(201, {}),
  'status 500': changeHead(500, {}),
  'a failure that it reports': changeHead(undefined, { 'x-sidecard-failure': 'timeout' }),
  'a card instead of data': changeHead(undefined, { 'x-sidecard-outcome': 'not_found' }),
  // A part with the harmful defect stays as it is.
  'handshakes without the code': (parts) => ({ verify: () => json({ code: '' }), ...parts }),
  'handshakes with status 500': (parts) => ({ verify: () => json({}, 500), ...parts }),
  'errors for invalid requests': (parts) => ({ other: () => json({}, 500), ...parts }),
}

/** Draws one to three harmless defects, which differ from turn to turn. */
export function drawHarmless(seed: number, turn: number): readonly string[] {
  const names = Object.keys(HARMLESS)
  const count = 1 + (turn % 3)
  return Array.from(
    { length: count },
    (_, index) => names[(seed + turn * 5 + index * 4) % names.length]!,
  )
}

/**
 * Checks an endpoint with a harmful and harmless defects, whose rules a baseline
 * lists. Returns whether the run found the harm, or did not pass.
 */
export async function isNeverHidden(seed: Seed, harmless: readonly string[]): Promise<boolean> {
  const parts = harmless.reduce<Parts>((all, name) => HARMLESS[name]!(all), seed.defect())
  const report = await checkParts(parts, { isolationSamples: 60 })
  const others = redRules(report).filter(
    (rule) =>
      evaluateSeed({ results: report.results.filter((each) => each.rule === rule) }, seed) ===
      'missed',
  )
  const known = applyBaseline(report, others)
  return evaluateSeed(known, seed) !== 'missed' || exitCodeOf(known) !== 0
}
