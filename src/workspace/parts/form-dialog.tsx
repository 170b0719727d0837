import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ControlError, errorMessage } from '../core/control.ts'
import { holdRoute } from '../core/route.ts'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { FormError } from './field.tsx'
import style from './dialog.module.css'

/** Why a form was rejected. */
export interface FormProblem {
  readonly text: string
  /** The rejected field; empty if it is not known. */
  readonly path: string
}

interface FormDialogProps extends Omit<DialogProps, 'children'> {
  /** The label of the button that submits the form. */
  readonly action: string
  readonly look?: 'primary' | 'danger'
  readonly onSubmit: () => Promise<unknown>
  /** The fields whose problems the form shows itself. @default [] */
  readonly places?: readonly string[]
  /** The other button. @default Cancel */
  readonly other?: ComponentChildren
  readonly children: (problem: FormProblem | null) => ComponentChildren
}

/** A dialog with a form. It closes after a submission that succeeds, and shows why one failed. */
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
      const path = error instanceof ControlError ? (error.problem?.path ?? '') : ''
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
          {children(problem)}
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
