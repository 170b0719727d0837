import { BASELINE, BUILDERS, LITERALS, STRINGS } from '../candidates/apps.ts'
import { SIZES, type Size } from '../candidates/payloads.ts'
import type { HttpRows } from '../sections/http.ts'
import type { Row } from '../statistics.ts'
import { compare, formatMicroseconds, formatRatio, table } from './table.ts'

/** The smallest ratio to bare Hono, for each variant of the app. */
const HTTP_TARGETS: Readonly<Partial<Record<Size, number>>> = {
  1: 0.87,
  15: 0.76,
  200: 0.7,
  2000: 0.7,
}
const IN_PROCESS_TARGETS: typeof HTTP_TARGETS = { 15: 0.74, 200: 0.63, 2000: 0.65 }

/** Literals have to be at least level with Fastify and compiled ajv. */
const FASTIFY = 'Fastify + compiled ajv'

export function renderHttp(sizes: ReadonlyMap<Size, HttpRows>): string {
  const rows = new Map([...sizes].map(([size, { cpu }]) => [size, cpu]))
  return `## A request over HTTP

CPU time of the server. Bare Hono runs on Hono's own adapter, and Sidecard on \`serve()\` of \`sidecard/node\`.

${costTable(rows, HTTP_TARGETS)}`
}

export function renderInProcess(
  sizes: ReadonlyMap<Size, readonly Row[]>,
  encoding: ReadonlyMap<Size, readonly Row[]>,
): string {
  return `## A request in process

CPU time of \`app.fetch()\`, without a socket.

${costTable(sizes, IN_PROCESS_TARGETS)}

### Creating, validating and writing a payload

The same work without a request. The generated code validates and copies, and \`JSON.stringify()\` writes the copy.

${encodingTable(encoding)}

### Parts of the difference

The difference from bare Hono in process, in µs. Validation is the additional time of the generated code, compared with \`JSON.stringify()\`. The builders copy and validate again. The app is the rest: routing, authentication, the context, the limits and the headers.

${table(
  ['Components', 'bare Hono', 'Validation', 'App', 'Builders'],
  SIZES.flatMap((size) => partsOf(size, sizes.get(size), encoding.get(size))),
)}`
}

export function renderServers({ throughput, cpu }: HttpRows): string {
  return `## Servers, 15 components

${table(
  ['Server', 'Requests/s', 'Relative', 'CPU µs per request', 'CPU, relative'],
  throughput.map((row, index) => [
    row.name,
    row.value.toFixed(0),
    formatRatio(row),
    formatMicroseconds(cpu[index]?.value),
    formatRatio(cpu[index]),
  ]),
)}

${LITERALS}, relative to ${FASTIFY} in this run: ${describeFastify(cpu)}.`
}

export function renderLibraries(rows: readonly Row[]): string {
  return `## Libraries in process, 15 components

${table(
  ['App', 'CPU µs', 'Relative'],
  rows.map((row) => [row.name, formatMicroseconds(row.value), formatRatio(row)]),
)}`
}

/** One row for each app at each size, with the target of its variant. */
function costTable(sizes: ReadonlyMap<Size, readonly Row[]>, targets: typeof HTTP_TARGETS): string {
  return table(
    ['Components', 'App', 'CPU µs', 'Relative', 'Target'],
    [...sizes].flatMap(([size, rows]) =>
      rows.map((row) => [
        size,
        row.name,
        formatMicroseconds(row.value),
        formatRatio(row),
        describeTarget(row, targets[size]),
      ]),
    ),
  )
}

function describeTarget({ name, ratio }: Row, target: number | undefined): string {
  const hasTarget = name === LITERALS || name === BUILDERS || name === STRINGS
  if (!hasTarget || target === undefined || ratio === undefined) return ''
  return `${target.toFixed(2)}, ${ratio.median >= target ? 'reached' : '**missed**'}`
}

function describeFastify(cpu: readonly Row[]): string {
  const cost = (name: string) => cpu.find((row) => row.name === name)?.value ?? Number.NaN
  const ratio = cost(FASTIFY) / cost(LITERALS)
  return compare(ratio, 1, ratio >= 1)
}

function encodingTable(encoding: ReadonlyMap<Size, readonly Row[]>): string {
  const names = [...encoding.values()][0]?.map(({ name }) => name) ?? []
  return table(
    ['Components', ...names.map((name) => `${name}, µs`)],
    [...encoding].map(([size, rows]) => [
      size,
      ...rows.map(({ value }) => formatMicroseconds(value)),
    ]),
  )
}

function partsOf(
  size: Size,
  requests: readonly Row[] = [],
  encoding: readonly Row[] = [],
): string[][] {
  const request = (name: string) => requests.find((row) => row.name === name)?.value ?? Number.NaN
  const [unchecked, literals, , builders] = encoding.map(({ value }) => value)
  if (unchecked === undefined || literals === undefined || builders === undefined) return []
  const validation = literals - unchecked
  const app = request(LITERALS) - request(BASELINE) - validation
  const numbers = [request(BASELINE), validation, app, builders - literals]
  return [[String(size), ...numbers.map(formatMicroseconds)]]
}
