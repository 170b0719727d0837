import { useState } from 'preact/hooks'
import { copyText } from '../../core/copy-text.ts'
import { Button, IconButton } from './button.tsx'

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
  const icon = isCopied ? 'check' : 'copy'
  const copy = async () => {
    if (!(await copyText(text, label))) return
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  if (caption === undefined) {
    const name = `Copy the ${label}`
    return <IconButton icon={icon} label={name} title={name} onClick={() => void copy()} />
  }
  return (
    <Button small icon={icon} onClick={() => void copy()}>
      {caption}
    </Button>
  )
}
