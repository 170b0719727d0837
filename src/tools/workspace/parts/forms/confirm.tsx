import { FormDialog } from './form-dialog.tsx'

interface ConfirmProps {
  readonly title: string
  readonly text: string
  /** The label of the confirming button. */
  readonly action: string
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
}

/** A dialog that confirms an irreversible action. */
export function Confirm({ text, onConfirm, ...dialog }: ConfirmProps) {
  return (
    <FormDialog {...dialog} size="small" look="danger" onSubmit={onConfirm}>
      <p>{text}</p>
    </FormDialog>
  )
}
