import { formatSpread, type Row } from '../statistics.ts'

/** Renders a Markdown table. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export function formatRatio(row: Row | undefined): string {
  return row?.ratio === undefined || Number.isNaN(row.ratio.median) ? '–' : formatSpread(row.ratio)
}

export function formatMicroseconds(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–'
  return value.toFixed(value < 1 ? 2 : value < 100 ? 1 : 0)
}

/** Formats a ratio with what is required of it. */
export function compare(ratio: number, target: number, isReached: boolean): string {
  return `${ratio.toFixed(2)} (target ${target.toFixed(2)}: ${isReached ? 'reached' : '**missed**'})`
}
