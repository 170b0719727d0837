import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ControlError, errorMessage } from '../../core/control.ts'
import { holdRoute } from '../../core/route.ts'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { CurrentProblem, FormError, type FormProblem } from './field.tsx'
import style from './dialog.module.css'

interface FormDialogProps extends DialogProps {
  /** The label of the button that submits the form. */
  readonly action: string
  readonly look?: 'primary' | 'danger'
  readonly onSubmit: () => Promise<unknown>
  /** The paths of the fields that show their problem themselves. @default [] */
  readonly places?: readonly string[]
  /** The other button. @default Cancel */
  readonly other?: ComponentChildren
}

/**
 * A dialog with a form. It closes after a successful submission, and otherwise
 * shows the reason.
 */
export function FormDialog(props: FormDialogProps) {
  const { action, look = 'primary', onSubmit, places = [], other, children, ...dialog } = props
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<FormProblem | null>(null)
  const submit = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await onSubmit()
      holdRoute(null)
      dialog.onClose()
    } catch (error) {
      const path = error instanceof ControlError ? error.path : ''
      setProblem({ text: errorMessage(error), path })
      setBusy(false)
    }
  }
  return (
    <Dialog {...dialog}>
      <form
        class={style.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <div class={style.body}>
          <CurrentProblem value={problem}>{children}</CurrentProblem>
          <FormError text={places.includes(problem?.path ?? '') ? null : problem?.text} />
        </div>
        <footer class={style.footer}>
          {other ?? <Button onClick={dialog.onClose}>Cancel</Button>}
          <Button type="submit" look={look} isBusy={isBusy}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
