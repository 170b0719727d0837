import type { BadgeColor } from '../contract/generated/vocabulary.ts'

/** The styles of a rendering. Each function wraps text that already has its final width. */
export interface RenderPalette {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly underline: (text: string) => string
  readonly badge: (color: BadgeColor, text: string) => string
  /** Whether a badge shows the name of its color. */
  readonly showColorNames: boolean
}

const unstyled = (text: string) => text

/**
 * A palette without colors. Badges contain the name of their color, so that
 * snapshots detect a change.
 */
export const PLAIN: RenderPalette = {
  bold: unstyled,
  dim: unstyled,
  underline: unstyled,
  badge: (_color, text) => text,
  showColorNames: true,
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

/** A palette for terminals with 256 colors. */
export const COLORED: RenderPalette = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  underline: sgr(4, 24),
  badge: (color, text) => BADGES[color](text),
  showColorNames: false,
}
