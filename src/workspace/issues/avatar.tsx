import { classes } from '../core/classes.ts'
import style from './message.module.css'

const COLORS = ['gray', 'blue', 'green', 'orange', 'red', 'gray']

/** The initials of a person. Pictures are not loaded. */
export function Avatar({ name }: { readonly name: string }) {
  return (
    <span class={classes(style.avatar, COLORS[pickHue(name)])} aria-hidden="true">
      {initials(name)}
    </span>
  )
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /\p{L}|\p{N}/u.test(word))
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words.slice(0, 1)
  const first = chosen.map((word) => /[\p{L}\p{N}]/u.exec(word ?? '')?.[0] ?? '')
  return first.join('').toUpperCase() || '?'
}

/** Picks a color, always the same for a name. */
function pickHue(name: string): number {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return sum % COLORS.length
}
