import { card, text } from 'sidecard'
import { header, withBuilders, withLiterals } from '../payloads.ts'

/** How many components an answer has; 15 is the realistic one, in three cards. */
export type Size = 1 | 15 | 200 | 2000
export const SIZES: readonly Size[] = [1, 15, 200, 2000]

const fields = (n: number, index: number) => ({ label: `Line ${index}`, value: `Enterprise ${n}` })

/** The answer of a size by literals, which nothing checks. */
export function literals(size: Size, n: number) {
  if (size === 15) return withLiterals(n)
  const texts = Array.from({ length: Math.max(1, size - 1) }, (_, index) => ({
    type: 'text',
    ...fields(n, index),
  }))
  const components = size === 1 ? texts : [{ type: 'card', components: texts }]
  return { version: '1.0.0', header, components }
}

/** The same answer by builders. */
export function built(size: Size, n: number) {
  if (size === 15) return withBuilders(n)
  const texts = Array.from({ length: Math.max(1, size - 1) }, (_, index) => text(fields(n, index)))
  return {
    version: '1.0.0',
    header,
    components: size === 1 ? texts : [card({ components: texts })],
  }
}
