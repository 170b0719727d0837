import { CALL_MS, SLOTS } from '../candidates/slow-source.ts'
import type { Size } from '../candidates/payloads.ts'
import type { HttpRows } from '../sections/http.ts'
import { CONNECTIONS, ISSUES, type SlowSourceResult } from '../sections/slow-source.ts'
import type { Row } from '../statistics.ts'
import { formatRatio, table } from './table.ts'

export function renderWorkerd(
  sizes: ReadonlyMap<Size, HttpRows>,
  firstResponse: readonly Row[],
): string {
  return `## On workerd

CPU time relative to bare Hono, and the time from the start of a new workerd process to its first response.

${table(
  [
    'Worker',
    ...[...sizes.keys()].map((size) => `${size} component${size === 1 ? '' : 's'}`),
    'First response',
  ],
  firstResponse.map((row, index) => [
    row.name,
    ...[...sizes.values()].map(({ cpu }) => formatRatio(cpu[index])),
    `${row.value.toFixed(1)} ms`,
  ]),
)}`
}

export function renderSizes(sizes: readonly (readonly [string, number])[]): string {
  return `## Size of a Worker

Minified and gzipped, Hono included. A test limits the size of the framework.

${table(
  ['Worker', 'Bytes'],
  sizes.map(([name, bytes]) => [name, bytes.toLocaleString('en')]),
)}`
}

export function renderSlowSource(results: readonly SlowSourceResult[]): string {
  return `## A slow source

The source handles ${SLOTS} calls at a time, and each takes ${CALL_MS} ms. ${CONNECTIONS} connections from another process open ${ISSUES} issues over and over.

${table(
  ['Cache', 'Requests/s', 'p50', 'p99', 'Requests', 'Source calls', 'CPU µs per request'],
  results.map((row) => [
    row.cache,
    row.requestsPerSecond.toFixed(0),
    `${row.p50Ms} ms`,
    `${row.p99Ms} ms`,
    row.requests,
    row.sourceCalls,
    row.cpuMicroseconds.toFixed(0),
  ]),
)}

"Request coalescing" is a cache whose entries expire at once, so that only concurrent requests share a call.`
}
