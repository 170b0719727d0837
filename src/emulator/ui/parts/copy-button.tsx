import { useState } from 'preact/hooks'
import { announce } from '../state/announce.ts'
import { Icon } from './icon.tsx'

const SHOWN_MS = 1_600

interface CopyButtonProps {
  readonly text: string
  /** What is copied, such as `access token`. */
  readonly what: string
  /** What the button says; only its icon shows without. */
  readonly label?: string
}

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, what, label }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      announce(`The browser did not let the ${what} be copied: select it by hand.`, 'bad')
      return
    }
    setCopied(true)
    announce(`Copied the ${what}`)
    setTimeout(() => {
      setCopied(false)
    }, SHOWN_MS)
  }
  return (
    <button
      type="button"
      class={label === undefined ? 'icon-button' : 'button button-small'}
      {...(label === undefined && { 'aria-label': `Copy the ${what}`, title: `Copy the ${what}` })}
      onClick={() => {
        void copy()
      }}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {label}
    </button>
  )
}
