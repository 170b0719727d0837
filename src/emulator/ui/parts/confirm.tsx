import { useState } from 'preact/hooks'
import { errorMessage } from '../state/control.ts'
import { Dialog } from './dialog.tsx'

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
      <div class="dialog-body">
        <p>{text}</p>
        {error !== '' && (
          <p class="form-error" role="alert">
            {error}
          </p>
        )}
      </div>
      <footer class="dialog-footer">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="button button-danger"
          disabled={isBusy}
          onClick={() => {
            void confirm()
          }}
        >
          {action}
        </button>
      </footer>
    </Dialog>
  )
}
