import { BUILDERS } from '../candidates/apps.ts'
import type { Size } from '../candidates/payloads.ts'
import type { Row } from '../statistics.ts'
import type { Results } from './results.ts'

/** What Sidecard with builders must reach, relative to bare Hono with unchecked literals. */
const TARGETS: ReadonlyMap<Size, { readonly http: number; readonly inProcess: number }> = new Map([
  [15, { http: 0.93, inProcess: 0.9 }],
  [200, { http: 0.88, inProcess: 0.82 }],
  [2000, { http: 0.85, inProcess: 0.8 }],
])

/** Returns one table row for each size with a target: measured and required ratios. */
export function compareWithTargets({ http, inProcess }: Results): string[][] {
  return [...TARGETS].map(([size, target]) => [
    String(size),
    describe(find(http.get(size)?.cpu), target.http),
    describe(find(inProcess.get(size)), target.inProcess),
  ])
}

function find(rows: readonly Row[] | undefined): number {
  return rows?.find(({ name }) => name === BUILDERS)?.ratio?.median ?? Number.NaN
}

function describe(ratio: number, target: number): string {
  return `${ratio.toFixed(2)} (target ${target.toFixed(2)}: ${ratio >= target ? 'reached' : 'missed'})`
}
