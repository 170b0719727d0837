import type { Badge, CardChild } from '../contract/payload.ts'
import { cells, cut, pad } from './cells.ts'
import { moment } from './moment.ts'
import type { RenderPalette } from './palette.ts'
import { visible, visibleLines } from './visible.ts'
import type { Truncation } from './render-payload.ts'

/** What every component is rendered with. */
export interface LineContext {
  readonly palette: RenderPalette
  readonly timeZone: string
  readonly links: boolean
  readonly report: (truncation: Truncation) => void
}

const GAP = 2

/** The width of the column of labels: the longest one, but at most two fifths of the line. */
export function labelWidth(components: readonly CardChild[], width: number): number {
  let longest = 0
  for (const component of components) {
    if (component.type === 'text' || component.type === 'date_time' || component.type === 'badge') {
      longest = Math.max(longest, cells(visible(component.label.slice(0, width * 4))))
    }
  }
  return Math.min(longest, Math.floor(width * 0.4))
}

/** The lines of one component, none wider than `width`. */
export function componentLines(
  component: CardChild,
  path: string,
  width: number,
  column: number,
  context: LineContext,
): string[] {
  const { palette } = context
  switch (component.type) {
    case 'text':
      return beside(
        component.label,
        textLines(component.value, path, width - column - GAP, context),
        path,
        column,
        context,
      )
    case 'date_time': {
      const shown = cut(moment(component.value, context.timeZone), width - column - GAP).text
      return beside(component.label, [shown], path, column, context)
    }
    case 'badge':
      return beside(
        component.label,
        badgeLines(component, path, width - column - GAP, context),
        path,
        column,
        context,
      )
    case 'button': {
      const label = cut(visible(component.label), width - 6).text
      return [hyperlink(`[ ${label} ↗ ]`, component.url, context)]
    }
    case 'link': {
      const label = cut(visible(component.label), width - 2).text
      return [hyperlink(`${palette.underline(label)} ↗`, component.url, context)]
    }
    case 'divider':
      break
  }
  return [palette.dim('─'.repeat(width))]
}

function beside(
  label: string,
  values: readonly string[],
  path: string,
  column: number,
  { palette, report }: LineContext,
): string[] {
  const { text, isCut } = cut(visible(label), column)
  if (isCut) report({ path: `${path}.label`, kind: 'label' })
  const blank = ' '.repeat(column + GAP)
  return values.map((value, index) =>
    index === 0 ? `${palette.dim(pad(text, column))}${' '.repeat(GAP)}${value}` : blank + value,
  )
}

function textLines(value: string, path: string, width: number, { report }: LineContext): string[] {
  const lines = visibleLines(value).map((line) => cut(line, width))
  if (lines.some(({ isCut }) => isCut)) report({ path: `${path}.value`, kind: 'text' })
  return lines.map(({ text }) => text)
}

function badgeLines(
  { items }: Badge,
  path: string,
  width: number,
  { palette, report }: LineContext,
): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  items.forEach(({ value, color }, index) => {
    // Judged without the name of the colour, so that both palettes report the same.
    if (cut(visible(value), width - 2).isCut)
      report({ path: `${path}.items[${index}].value`, kind: 'badge' })
    const name = palette.namesColors ? ` (${color})` : ''
    const shown = cut(visible(value), Math.max(1, width - 2 - name.length)).text
    const chip = cut(`● ${shown}${name}`, width).text
    const size = cells(chip)
    if (used > 0 && used + GAP + size > width) {
      lines.push(line)
      line = ''
      used = 0
    }
    line += (used > 0 ? ' '.repeat(GAP) : '') + palette.badge(color, chip)
    used += (used > 0 ? GAP : 0) + size
  })
  return [...lines, line]
}

/** OSC 8; a URI of RFC 3986 has no character that could end it early. */
function hyperlink(text: string, url: string, { links }: LineContext): string {
  return links ? `\u001B]8;;${url}\u0007${text}\u001B]8;;\u0007` : text
}
