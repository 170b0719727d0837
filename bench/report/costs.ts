import type { CacheCandidate } from '../candidates/cached.ts'
import type { HelperCost } from '../sections/helpers.ts'
import type { Gain } from '../sections/gains.ts'
import type { Row } from '../statistics.ts'
import { compare, formatMicroseconds, table } from './table.ts'

/** An input that costs more than this many times the usual one is a defect. */
const MAX_OF_USUAL = 10

export function renderHelpers(costs: readonly HelperCost[]): string {
  const jumps = costs.filter(({ ofUsual }) => ofUsual >= MAX_OF_USUAL)
  return `## Builders and helpers

The time of one call, with a different argument each time. The first input of each builder or helper is the usual one, and no input may cost ten times as much.

${table(
  ['Builder or helper', 'Input', 'µs', 'Relative to the usual input'],
  costs.map(({ helper, input, microseconds, ofUsual }) => [
    `\`${helper}\``,
    input,
    microseconds.toFixed(2),
    ofUsual >= MAX_OF_USUAL ? `**${ofUsual.toFixed(1)}, a jump**` : ofUsual.toFixed(1),
  ]),
)}

${
  jumps.length === 0
    ? 'No input costs ten times as much as the usual one.'
    : `These inputs cost at least ten times as much as the usual one: ${jumps.map(({ helper, input }) => `\`${helper}\` with ${input}`).join(', ')}.`
}`
}

export function renderCaches(rows: readonly Row[], candidates: readonly CacheCandidate[]): string {
  return `## Cache hits

CPU time of a response in process, from \`memoryStore()\`, relative to the same app without a cache. Its \`fetchData\` takes no time, so this is the most unfavorable case. Here, lower is better.

${table(
  ['Response', 'CPU µs', 'Relative cost'],
  rows.map(({ name, value }, index) => {
    const { baseline, limit } = candidates[index]!
    const cost = value / (rows.find((row) => row.name === baseline)?.value ?? Number.NaN)
    const relative = limit === undefined ? '' : compare(cost, limit, cost <= limit)
    return [name, formatMicroseconds(value), relative]
  }),
)}`
}

export function renderGains(gains: readonly Gain[]): string {
  return `## Code that is not plain

This code is less plain than its alternative. Each piece is kept only for the difference between the last two columns.

${table(
  ['Code', 'Instead of', 'µs', 'µs instead'],
  gains.map(({ code, instead, microseconds, plainMicroseconds }) => [
    code,
    instead,
    microseconds.toFixed(2),
    plainMicroseconds.toFixed(2),
  ]),
)}`
}
