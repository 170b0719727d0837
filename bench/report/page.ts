import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { type Row, shown } from '../statistics.ts'
import type { Figures } from './figures.ts'

/** Of the throughput of a bare Hono app. */
const TARGET = 0.97

/** The page docs/performance.md, made of the figures of one run. */
export function page(figures: Figures): string {
  const { inProcess, http, httpPairs, workerd, workerdOne, firstAnswer, slow, sizes, rounds } =
    figures
  const pairs = [...httpPairs].map(([size, rows]) => {
    const [, throughput] = rows.throughput
    const [, cpu] = rows.cpu
    const [bare, ours] = inProcess.get(size)!
    return [size, ratio(throughput), ratio(cpu), ratio(ours), `${us(bare)} / ${us(ours)}`]
  })
  return `# Performance

A checked answer should cost what an unchecked one costs. The yardstick is a bare Hono app that reads the same eight parameters and returns the same JSON without looking at it. The target is 0.97 of its throughput over HTTP. On Node it is served as Hono's own adapter serves it, a sidebar app by \`serve()\` of \`sidecard/node\`; both use the same listener.

![CPU time of a request over HTTP, to a bare Hono app](images/performance.svg)

\`\`\`sh
npm run bench            # all of this page: about ten minutes
npm run bench -- --quick # two minutes, writes nothing
npm run build && node bench/encode.ts # building, checking and writing alone
\`\`\`

This page and its picture are written by that command. Contenders run in turns, so that a noisy machine disturbs them alike, and each round gives one ratio: medians, with the middle eight tenths in brackets. Above 1 is better than bare Hono. CPU time is that of the server's process for one request, of its least disturbed tenth of the rounds: other work on the machine can only add to it, and disturbs it less than requests per second. The picture shows it.

Measured with Node ${process.version} on ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}, ${rounds} rounds, load average ${loadavg()[0]!.toFixed(1)} at the end${loadavg()[0]! > 2.5 ? ' (**the machine was busy with other work: take the ratios, not the figures, and those with caution**)' : ''}.

## A checked answer against an unchecked one

${table(['components', 'HTTP, requests', 'HTTP, CPU', 'in process, CPU', 'in process, µs: bare / sidecard'], pairs)}

15 components in three cards are the realistic answer (1.8 KB). ${verdict(figures)}

## Over HTTP, 15 components

${table(
  ['server', 'requests/s', 'to bare Hono', 'CPU µs a request', 'CPU, to bare Hono'],
  http.throughput.map((row, index) => [
    row.name,
    row.value.toFixed(0),
    ratio(row),
    us(http.cpu[index]),
    ratio(http.cpu[index]),
  ]),
)}

## In process, 15 components

${table(
  ['app', 'CPU µs', 'to bare Hono'],
  inProcess.get(15)!.map((row) => [row.name, us(row), ratio(row)]),
)}

## On workerd

${table(
  [
    'Worker',
    'requests/s, 15 components',
    'to bare Hono',
    'CPU, to bare Hono',
    'with 1 component: requests',
    'CPU',
    'first answer of a fresh workerd',
  ],
  workerd.throughput.map((row, index) => [
    row.name,
    row.value.toFixed(0),
    ratio(row),
    ratio(workerd.cpu[index]),
    ratio(workerdOne.throughput[index]),
    ratio(workerdOne.cpu[index]),
    `${firstAnswer[index]!.value.toFixed(1)} ms`,
  ]),
)}

## Size of a Worker

Minified and gzipped, Hono included. A test fails when the framework grows over 18 kB (18,000 bytes).

${table(
  ['Worker', 'bytes'],
  sizes.map(([name, bytes]) => [name, bytes.toLocaleString('en')]),
)}

## A slow source

50 ms, 500 connections, 200 issues that are opened again and again.

${table(
  ['cache', 'requests/s', 'p50', 'p99', 'requests', 'calls of the source'],
  slow.map((row) => [
    row.cache,
    row.requestsPerSecond.toFixed(0),
    `${row.p50Ms} ms`,
    `${row.p99Ms} ms`,
    row.requests,
    row.callsOfSource,
  ]),
)}

## Why it can be cheap

- A payload is checked by one walk that writes the JSON as it goes (\`src/contract/walk.ts\`); no zod runs in a request. A property test holds the walk and the zod schemas to the same verdict.
- Labels, titles and icons are the same in every answer of an app: the first few are remembered with the JSON around them (\`src/contract/walk/phrases.ts\`), and so is the header of the app.
- Parameters are read in one scan of the URL (\`src/app/query.ts\`).
- \`serve()\` does next to nothing for a request but call the app: what a clean stop needs to know, the connections tell it then.
- What a callback does not ask for (\`ctx.signal\`, \`ctx.traceId\`, a timer) is not made, and where nothing waits there is no promise.
- An app without a cache does not carry one.
`
}

/** Whether the target is reached, by CPU time. */
function verdict({ httpPairs }: Figures): string {
  const sizes = (reached: boolean) =>
    [...httpPairs]
      .filter(([, { cpu }]) => (cpu[1]?.ratio?.median ?? 0) >= TARGET === reached)
      .map(([size]) => size)
      .join(', ')
  return `By CPU time over HTTP, this run reached the target with ${sizes(true) || 'no number of'} components${sizes(false) && `, and not with ${sizes(false)}`}.`
}

function ratio(row: Row | undefined): string {
  return row?.ratio === undefined || Number.isNaN(row.ratio.median) ? '–' : shown(row.ratio)
}

function us(row: Row | undefined): string {
  return row === undefined ? '–' : row.value.toFixed(row.value < 100 ? 1 : 0)
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
