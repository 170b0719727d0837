import { classes } from '../core/classes.ts'
import style from './message.module.css'

/** The initials of a person. Pictures are not loaded. */
export function Avatar({ name }: { readonly name: string }) {
  return (
    <span class={classes(style.avatar, 'gray')} aria-hidden="true">
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
