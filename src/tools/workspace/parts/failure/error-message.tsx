import { CopyButton } from '../forms/copy-button.tsx'
import style from './diagnostics.module.css'

interface ErrorMessageProps {
  readonly text: string
  /** The stack, or the output of the command, which contains the message. @default none */
  readonly details?: string | null | undefined
  readonly role?: 'alert'
}

/** The message of an error, and a button that copies all of its details. */
export function ErrorMessage({ text, details, role }: ErrorMessageProps) {
  return (
    <div class={style['message-row']}>
      <p class={style.message} dir="auto" role={role}>
        {text}
      </p>
      <CopyButton text={details || text} label="error" />
    </div>
  )
}
