import { useState } from 'preact/hooks'
import { errorMessage } from '../core/control.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FormError } from './field.tsx'
import dialogStyle from './dialog.module.css'

interface ConfirmProps {
  readonly title: string
  readonly text: string
  /** The label of the confirming button. */
  readonly action: string
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
}

/** A dialog that confirms an irreversible action. */
export function Confirm({ title, text, action, onConfirm, onClose }: ConfirmProps) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (failure) {
      setError(errorMessage(failure))
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} size="small" onClose={onClose}>
      <div class={dialogStyle.body}>
        <p>{text}</p>
        <FormError text={error} />
      </div>
      <footer class={dialogStyle.footer}>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" disabled={isBusy} onClick={() => void confirm()}>
          {action}
        </Button>
      </footer>
    </Dialog>
  )
}
