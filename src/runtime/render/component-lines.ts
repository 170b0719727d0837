import type { CardChild } from '../contract/generated/types.ts'
import type { Shown, ShownFields } from '../contract/shown-fields.ts'
import { displayWidth, padToWidth, truncate } from './display-width.ts'
import { formatDateTime } from './format-date-time.ts'
import type { RenderPalette } from './palette.ts'
import { sanitizeLine, sanitizeLines } from './sanitize-line.ts'
import type { Truncation } from './truncation.ts'

/** The settings of a rendering, shared by all its components. */
export interface LineContext {
  readonly palette: RenderPalette
  readonly timeZone: string
  readonly links: boolean
  readonly report: (truncation: Truncation) => void
}

/** The place where a component is rendered. */
export interface LinePlace {
  /** The component's path in the payload. */
  readonly path: string
  /** The number of cells in a line. */
  readonly width: number
  readonly labelColumnWidth: number
}

const GAP = 2

/** The fields that the terminal shows. A label in the `column` is next to its value. */
export const TERMINAL_FIELDS = {
  payload: { version: false, header: true, components: true },
  header: { title: true, icon_url: false },
  card: { header: true, components: true },
  text: { label: 'column', value: true, icon_url: false },
  date_time: { label: 'column', value: true, icon_url: false },
  badge: { label: 'column', items: true },
  badge_item: { value: true, color: true },
  button: { label: true, button_type: false, url: true },
  link: { label: true, url: true },
  divider: {},
} as const satisfies ShownFields<true | 'column'>

/** Returns the width of the label column: the longest label, but at most two fifths of the line. */
export function measureLabels(components: readonly CardChild[], width: number): number {
  let longest = 0
  for (const component of components) {
    if (!('label' in component)) continue
    if (TERMINAL_FIELDS[component.type].label === 'column') {
      longest = Math.max(longest, displayWidth(sanitizeLine(component.label.slice(0, width * 4))))
    }
  }
  return Math.min(longest, Math.floor(width * 0.4))
}

type Renderers = {
  readonly [Type in CardChild['type']]: (
    component: Shown<Type, typeof TERMINAL_FIELDS>,
    place: LinePlace,
    context: LineContext,
  ) => string[]
}

const RENDERERS: Renderers = {
  text: ({ label, value }, place, context) => textLines(label, value, place, context),
  date_time: ({ label, value }, place, context) =>
    textLines(label, formatDateTime(value, context.timeZone), place, context),
  badge: (badge, place, context) => {
    const width = place.width - place.labelColumnWidth - GAP
    return labeledLines(badge.label, badgeLines(badge, place.path, width, context), place, context)
  },
  button: ({ label, url }, { width }, context) => {
    const { text } = truncate(sanitizeLine(label), width - 6)
    return [hyperlink(`[ ${text} ↗ ]`, url, context)]
  },
  link: ({ label, url }, { width }, context) => {
    const { text } = truncate(sanitizeLine(label), width - 2)
    return [hyperlink(`${context.palette.underline(text)} ↗`, url, context)]
  },
  divider: (_divider, { width }, { palette }) => [palette.dim('─'.repeat(width))],
}

/** Renders one component as lines that are at most `place.width` cells wide. */
export function componentLines<Type extends CardChild['type']>(
  component: Extract<CardChild, { type: Type }>,
  place: LinePlace,
  context: LineContext,
): string[] {
  const type: Type = component.type
  return RENDERERS[type](component, place, context)
}

/**
 * Renders a label and a value. A value that does not fit next to its label goes
 * below it. A trace ID is never truncated.
 */
function textLines(label: string, value: string, place: LinePlace, context: LineContext): string[] {
  const { path, width, labelColumnWidth } = place
  const lines = sanitizeLines(value)
  const nextToLabel = lines.map((line) => truncate(line, width - labelColumnWidth - GAP))
  if (nextToLabel.some(({ truncated }) => truncated)) {
    if (lines.every((line) => !truncate(line, width).truncated)) {
      return [context.palette.dim(truncate(sanitizeLine(label), width).text), ...lines]
    }
    context.report({ path: `${path}.value`, kind: 'text' })
  }
  return labeledLines(
    label,
    nextToLabel.map(({ text }) => text),
    place,
    context,
  )
}

function labeledLines(
  label: string,
  values: readonly string[],
  { path, labelColumnWidth }: LinePlace,
  { palette, report }: LineContext,
): string[] {
  const { text, truncated } = truncate(sanitizeLine(label), labelColumnWidth)
  if (truncated) report({ path: `${path}.label`, kind: 'label' })
  const indent = ' '.repeat(labelColumnWidth + GAP)
  return values.map((value, index) =>
    index === 0
      ? `${palette.dim(padToWidth(text, labelColumnWidth))}${' '.repeat(GAP)}${value}`
      : indent + value,
  )
}

function badgeLines(
  { items }: Shown<'badge', typeof TERMINAL_FIELDS>,
  path: string,
  width: number,
  { palette, report }: LineContext,
): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  items.forEach(({ value, color }, index) => {
    // The name of the color is not counted, so that both palettes report the same truncations.
    if (truncate(sanitizeLine(value), width - 2).truncated) {
      report({ path: `${path}.items[${index}].value`, kind: 'badge' })
    }
    const name = palette.showColorNames ? ` (${color})` : ''
    const shown = truncate(sanitizeLine(value), Math.max(1, width - 2 - name.length)).text
    const chip = truncate(`● ${shown}${name}`, width).text
    const size = displayWidth(chip)
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

/** Formats a link with OSC 8. A URI contains no character that would end the sequence early. */
function hyperlink(text: string, url: string, { links }: LineContext): string {
  return links ? `\u001B]8;;${url}\u0007${text}\u001B]8;;\u0007` : text
}
