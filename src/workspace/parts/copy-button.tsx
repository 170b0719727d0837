import { useState } from 'preact/hooks'
import { notify } from '../core/notify.ts'
import { Icon } from './icon.tsx'
import style from './button.module.css'

const SHOWN_MS = 1_600

interface CopyButtonProps {
  readonly text: string
  /** The name of the copied text, such as `access token`. */
  readonly label: string
  /** The visible text of the button. @default only an icon */
  readonly caption?: string
}

/** A button that copies a text to the clipboard and confirms it. */
export function CopyButton({ text, label, caption }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    if (!(await copyText(text, label))) return
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <button
      type="button"
      class={caption === undefined ? style['icon-button'] : `${style.button} ${style.small}`}
      {...(caption === undefined && {
        'aria-label': `Copy the ${label}`,
        title: `Copy the ${label}`,
      })}
      onClick={() => void copy()}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {caption}
    </button>
  )
}

/** Copies a text and shows a notice. Resolves to false if the browser did not allow it. */
export async function copyText(text: string, label: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    notify(`Could not copy the ${label}. Select and copy it manually.`, 'bad')
    return false
  }
  notify(`Copied the ${label}`)
  return true
}
