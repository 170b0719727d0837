import type { Card, CardChild, Payload } from '../contract/generated/types.ts'
import { componentLines, type LineContext, measureLabels } from './component-lines.ts'
import { displayWidth, padToWidth, truncate } from './display-width.ts'
import { COLORED, PLAIN, type RenderPalette } from './palette.ts'
import { sanitizeLine } from './sanitize-line.ts'
import type { Truncation } from './truncation.ts'

/** Options of `renderPayload()`. */
export interface RenderOptions {
  /** The number of cells in a line, at least 20. @default 44 */
  readonly width?: number
  /** Colors for a terminal, or your own palette. @default false */
  readonly color?: boolean | RenderPalette
  /** The time zone of `date_time` values, an IANA name. @default 'UTC' */
  readonly timeZone?: string
  /** Makes links and buttons clickable in terminals that support OSC 8. @default false */
  readonly links?: boolean
}

/** A payload as text. */
export interface Rendering {
  readonly text: string
  readonly truncations: readonly Truncation[]
}

const MIN_WIDTH = 20

/**
 * Renders a payload as text, for a terminal and for snapshots: cards are boxes,
 * and overflowing text and badges are truncated and reported. Control characters
 * in the payload are replaced.
 */
export function renderPayload(payload: Payload, options: RenderOptions = {}): Rendering {
  const { color = false, timeZone = 'UTC', links = false } = options
  const palette = color === true ? COLORED : color === false ? PLAIN : color
  const width = Math.max(MIN_WIDTH, Math.floor(options.width ?? 44))
  const truncations: Truncation[] = []
  const context: LineContext = {
    palette,
    timeZone,
    links,
    report: (truncation) => truncations.push(truncation),
  }
  const lines: string[] = []
  const { title } = payload.header
  if (title !== undefined) lines.push(palette.bold(truncate(sanitizeLine(title), width).text), '')

  let ungrouped: { component: CardChild; path: string }[] = []
  const flush = () => {
    const components = ungrouped.map(({ component }) => component)
    const labelColumnWidth = measureLabels(components, width)
    for (const { component, path } of ungrouped) {
      lines.push(...componentLines(component, { path, width, labelColumnWidth }, context))
    }
    ungrouped = []
  }
  payload.components.forEach((component, index) => {
    const path = `components[${index}]`
    if (component.type !== 'card') {
      ungrouped.push({ component, path })
      return
    }
    flush()
    lines.push(...cardLines(component, path, width, context))
  })
  flush()
  if (payload.components.length === 0) lines.push(palette.dim('(no components)'))
  return { text: `${lines.map((line) => line.trimEnd()).join('\n')}\n`, truncations }
}

function cardLines(card: Card, path: string, width: number, context: LineContext): string[] {
  const { palette } = context
  const inner = width - 4
  const labelColumnWidth = measureLabels(card.components, inner)
  const title = truncate(sanitizeLine(card.header?.title ?? ''), inner - 1).text
  const top =
    title === ''
      ? palette.dim(`╭${'─'.repeat(width - 2)}╮`)
      : `${palette.dim('╭─')} ${palette.bold(title)} ${palette.dim(`${'─'.repeat(width - 5 - displayWidth(title))}╮`)}`
  const body = card.components.flatMap((component, index) => {
    const place = { path: `${path}.components[${index}]`, width: inner, labelColumnWidth }
    return componentLines(component, place, context)
  })
  const side = palette.dim('│')
  return [
    top,
    ...body.map((line) => `${side} ${padStyled(line, inner)} ${side}`),
    palette.dim(`╰${'─'.repeat(width - 2)}╯`),
  ]
}

// oxlint-disable-next-line no-control-regex -- the escapes are our own
const STYLES = /\u001B\[[0-9;]*m|\u001B\]8;;[^\u0007]*\u0007/g

/** Pads a line that contains escape sequences, which take no cells. */
function padStyled(line: string, width: number): string {
  const bare = line.replace(STYLES, '')
  return line + padToWidth(bare, width).slice(bare.length)
}
