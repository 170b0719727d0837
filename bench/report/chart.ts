import { BASELINE } from '../candidates/apps.ts'
import type { Row } from '../statistics.ts'

const WIDTH = 760
const LABEL = 250
const BAR = 22
const GAP = 10

/** Renders ratios as an SVG bar chart, with Sidecard in another color. */
export function renderChart(rows: readonly Row[]): string {
  const sorted = rows.toSorted((a, b) => (b.ratio?.median ?? 0) - (a.ratio?.median ?? 0))
  const largest = Math.max(...sorted.map(({ ratio }) => ratio?.high ?? 0))
  const x = (ratio: number) => LABEL + (ratio / largest) * (WIDTH - LABEL - 60)
  const height = 46 + sorted.length * (BAR + GAP)
  const bars = sorted.map(({ name, ratio }, index) => {
    const { median, low, high } = ratio ?? { median: 0, low: 0, high: 0 }
    const y = 40 + index * (BAR + GAP)
    const middle = y + BAR / 2
    return `<text x="${LABEL - 10}" y="${middle + 4}" text-anchor="end">${name.replaceAll('&', '&amp;')}</text>
<rect x="${LABEL}" y="${y}" width="${(x(median) - LABEL).toFixed(1)}" height="${BAR}" rx="3" fill="${chooseColor(name)}"/>
<path d="M${x(low).toFixed(1)} ${middle}H${x(high).toFixed(1)}" stroke="#0f172a" stroke-width="1.5"/>
<text x="${(x(Math.max(high, median)) + 6).toFixed(1)}" y="${middle + 4}">${median.toFixed(2)}</text>`
  })
  const title = 'Responses per CPU second over HTTP, relative to bare Hono (15 components)'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
<style>text{font:13px system-ui,sans-serif;fill:#0f172a}</style>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="${WIDTH / 2}" y="22" text-anchor="middle" font-weight="bold">${title}</text>
<path d="M${x(1).toFixed(1)} 32V${height - 6}" stroke="#475569" stroke-dasharray="3 3"/>
${bars.join('\n')}
</svg>
`
}

function chooseColor(name: string): string {
  if (name.startsWith('Sidecard')) return '#2563eb'
  return name === BASELINE ? '#475569' : '#94a3b8'
}
