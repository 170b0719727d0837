import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { CALL_MS, SLOTS } from '../candidates/slow-source.ts'
import { CONNECTIONS, ISSUES } from '../sections/slow-source.ts'
import { formatSpread, type Row } from '../statistics.ts'
import type { Results } from './results.ts'
import { compareWithTargets } from './targets.ts'

/** Renders docs/performance.md from the results of one run. */
export function renderPage(results: Results): string {
  const { http, inProcess, encoding, servers, apps, workerd, firstResponse, rounds } = results
  return `# Performance

Sidecard validates every payload, and the benchmarks show the cost of it. The baseline is a bare Hono app that reads the same eight parameters and returns the same JSON from object literals, without validation. Sidecard creates the payload from literals or with the builders.

**Every label and value is different in every response**, so that no cache of strings can help.

![CPU time of a request over HTTP, relative to bare Hono](images/performance.svg)

\`\`\`sh
npm run bench            # this page and its chart: about twenty minutes
npm run bench -- --quick # a few minutes, writes nothing
\`\`\`

Candidates take turns, so that a busy machine disturbs them alike, and each round gives one ratio: the figures are medians, with the middle 80 % in parentheses. Above 1 is better than the baseline. CPU time is that of the server process for one request, in the least disturbed tenth of the rounds, because other work can only add to it. Over HTTP, the load comes from another process.

Measured with Node ${process.version} on ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, load average ${loadavg()[0]!.toFixed(1)} at the end.${loadavg()[0]! > 2.5 ? ' **The machine was busy with other work: use the ratios, with caution, and not the absolute figures.**' : ''}

## Cost of validation

CPU time relative to bare Hono, by number of components. 15 components in three cards are a realistic payload.

### Over HTTP

${sizeTable([...http].map(([size, { cpu }]) => [size, cpu]))}

### In process

${sizeTable([...inProcess])}

### Targets

Sidecard with builders, relative to bare Hono with unchecked literals:

${table(['Components', 'HTTP, CPU', 'In process, CPU'], compareWithTargets(results))}

### Encoding alone

Creating, validating and writing a payload, without a request. The generated code validates and writes in one pass.

${sizeTable([...encoding])}

## Over HTTP, 15 components

On Node, bare Hono runs on Hono's own adapter, and Sidecard on \`serve()\` of \`sidecard/node\`.

${table(
  ['Server', 'Requests/s', 'Relative', 'CPU µs per request', 'CPU, relative'],
  servers.throughput.map((row, index) => [
    row.name,
    row.value.toFixed(0),
    formatRatio(row),
    formatMicroseconds(servers.cpu[index]),
    formatRatio(servers.cpu[index]),
  ]),
)}

## In process, 15 components

${table(
  ['App', 'CPU µs', 'Relative'],
  apps.map((row) => [row.name, formatMicroseconds(row), formatRatio(row)]),
)}

## On workerd

CPU time relative to bare Hono, and the time from the start of a new workerd process to its first response.

${table(
  [
    'Worker',
    ...[...workerd.keys()].map((size) => `${size} component${size === 1 ? '' : 's'}`),
    'First response',
  ],
  firstResponse.map((row, index) => [
    row.name,
    ...[...workerd.values()].map(({ cpu }) => formatRatio(cpu[index])),
    `${row.value.toFixed(1)} ms`,
  ]),
)}

## Size of a Worker

Minified and gzipped, Hono included. A test limits the size of the framework.

${table(
  ['Worker', 'Bytes'],
  results.sizes.map(([name, bytes]) => [name, bytes.toLocaleString('en')]),
)}

## A slow source

The source handles ${SLOTS} calls at a time, and each takes ${CALL_MS} ms. ${CONNECTIONS} connections from another process open ${ISSUES} issues over and over.

${table(
  ['Cache', 'Requests/s', 'p50', 'p99', 'Requests', 'Source calls', 'CPU µs per request'],
  results.slowSource.map((row) => [
    row.cache,
    row.requestsPerSecond.toFixed(0),
    `${row.p50Ms} ms`,
    `${row.p99Ms} ms`,
    row.requests,
    row.sourceCalls,
    row.cpuMicroseconds.toFixed(0),
  ]),
)}

"Request coalescing" is a cache whose entries expire at once, so that only concurrent requests share a call.

## Why it is fast

- \`npm run generate\` writes one function per component that validates it and writes its JSON in one pass (\`src/contract/generated/encode.ts\`). No schema library runs during a request, and a property test holds the code and the schemas to the same result.
- The header of the app is encoded once.
- A request that waits for nothing gets its response in the same turn of the event loop: \`serve()\` then needs no listener for a disconnect.
- The abort signal, the trace ID and timers are created only if they are used.
- An app without a cache does not contain one.
`
}

/** One row for each size: the baseline in microseconds, and the others relative to it. */
function sizeTable(sizes: readonly (readonly [number, readonly Row[]])[]): string {
  const [, firstRows = []] = sizes[0] ?? []
  const names = firstRows.map(({ name }) => name)
  const [baseline = ''] = names
  return table(
    ['Components', `${baseline}, µs`, ...names.slice(1)],
    sizes.map(([size, [first, ...others]]) => [
      size,
      formatMicroseconds(first),
      ...others.map(formatRatio),
    ]),
  )
}

function formatRatio(row: Row | undefined): string {
  return row?.ratio === undefined || Number.isNaN(row.ratio.median) ? '–' : formatSpread(row.ratio)
}

function formatMicroseconds(row: Row | undefined): string {
  return row === undefined ? '–' : row.value.toFixed(row.value < 100 ? 1 : 0)
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
