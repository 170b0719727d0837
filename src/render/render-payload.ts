import type { Card, Component, Payload } from '../contract/payload.ts'
import { cells, cut, pad } from './cells.ts'
import { type LineContext, componentLines, labelWidth } from './component-lines.ts'
import { COLORED, PLAIN, type RenderPalette } from './palette.ts'
import { visible } from './visible.ts'

/** How a payload is rendered. */
export interface RenderOptions {
  /** Cells of a line, from 20. @default 44 */
  readonly width?: number
  /** Colours for a terminal, or a palette of one's own. @default false */
  readonly color?: boolean | RenderPalette
  /** The zone of the reader, an IANA name. @default 'UTC' */
  readonly timeZone?: string
  /** Makes links and buttons clickable in terminals that know how (OSC 8). @default false */
  readonly links?: boolean
}

/** A value that did not fit and was cut with an ellipsis. */
export interface Truncation {
  /** Where, as in `components[0].components[1].value`. */
  readonly path: string
  readonly kind: 'label' | 'text' | 'badge'
}

/** A payload as text. */
export interface Rendering {
  readonly text: string
  readonly truncations: readonly Truncation[]
}

const MIN_WIDTH = 20

/**
 * Renders a payload as the sidebar would show it, for a terminal and for
 * snapshots: cards as boxes, overflowing text and badges cut with an ellipsis
 * and reported. Nothing in the payload can make a terminal do anything.
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
  if (title !== undefined) lines.push(palette.bold(cut(visible(title), width).text), '')

  let loose: { component: Exclude<Component, Card>; path: string }[] = []
  const flush = () => {
    const column = labelWidth(
      loose.map(({ component }) => component),
      width,
    )
    for (const { component, path } of loose)
      lines.push(...componentLines(component, path, width, column, context))
    loose = []
  }
  payload.components.forEach((component, index) => {
    const path = `components[${index}]`
    if (component.type !== 'card') {
      loose.push({ component, path })
      return
    }
    flush()
    lines.push(...cardLines(component, path, width, context))
  })
  flush()
  if (payload.components.length === 0) lines.push(palette.dim('(nothing to show)'))
  return { text: `${lines.map((line) => line.trimEnd()).join('\n')}\n`, truncations }
}

function cardLines(card: Card, path: string, width: number, context: LineContext): string[] {
  const { palette } = context
  const inner = width - 4
  const column = labelWidth(card.components, inner)
  const title = card.header?.title
  const shown =
    title === undefined || title === '' ? undefined : cut(visible(title), inner - 1).text
  const top =
    shown === undefined
      ? palette.dim(`╭${'─'.repeat(width - 2)}╮`)
      : `${palette.dim('╭─')} ${palette.bold(shown)} ${palette.dim(`${'─'.repeat(width - 5 - cells(shown))}╮`)}`
  const body = card.components.flatMap((component, index) =>
    componentLines(component, `${path}.components[${index}]`, inner, column, context),
  )
  const side = palette.dim('│')
  return [
    top,
    ...body.map((line) => `${side} ${padStyled(line, inner)} ${side}`),
    palette.dim(`╰${'─'.repeat(width - 2)}╯`),
  ]
}

// oxlint-disable-next-line no-control-regex -- the escapes are our own
const STYLES = /\u001B\[[0-9;]*m|\u001B\]8;;[^\u0007]*\u0007/g

/** Styles take no cells. */
function padStyled(line: string, width: number): string {
  const bare = line.replace(STYLES, '')
  return line + pad(bare, width).slice(bare.length)
}
