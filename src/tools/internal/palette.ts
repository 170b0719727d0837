const STYLES = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const

/** The colors of a report. Each function wraps text, or returns it unchanged. */
export type Palette = Readonly<Record<(typeof STYLES)[number], (text: string) => string>>

/** Creates a palette from a function that applies a style. */
export function createPalette(paint: (style: keyof Palette, text: string) => string): Palette {
  const entries = STYLES.map((style) => [style, (text: string) => paint(style, text)])
  return Object.fromEntries(entries) as Palette
}

/** The palette without colors. */
export const PLAIN = createPalette((_style, text) => text)
