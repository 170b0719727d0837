import type { BadgeColor } from '../contract/payload.ts'

/** How parts of a rendering are coloured: each function wraps text that already has its final width. */
export interface RenderPalette {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly underline: (text: string) => string
  readonly badge: (color: BadgeColor, text: string) => string
  /** Whether a badge says its colour in words, for who cannot see it. */
  readonly namesColors: boolean
}

const same = (text: string) => text

/** No colour: a badge says it in words, so that a snapshot notices another one. */
export const PLAIN: RenderPalette = {
  bold: same,
  dim: same,
  underline: same,
  badge: (_color, text) => text,
  namesColors: true,
}

const sgr = (on: number | string, off: number) => (text: string) =>
  `\u001B[${on}m${text}\u001B[${off}m`

const BADGES: Readonly<Record<BadgeColor, (text: string) => string>> = {
  blue: sgr(34, 39),
  green: sgr(32, 39),
  red: sgr(31, 39),
  orange: sgr('38;5;208', 39),
  gray: sgr(90, 39),
}

/** The colours of a terminal that has 256 of them. */
export const COLORED: RenderPalette = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  underline: sgr(4, 24),
  badge: (color, text) => BADGES[color](text),
  namesColors: false,
}
