import { FormError } from '../parts/forms/field.tsx'
import { Button } from '../parts/forms/button.tsx'
import { checks, checkSubject, runCheck } from '../state/checks.ts'
import { subject } from '../state/diagnostics.ts'
import { classes } from '../core/classes.ts'
import { ReportView } from './report-view.tsx'
import layoutStyle from '../parts/layout.module.css'

/** Checks the app of the selected widget against the contract, as `sidecard check` does. */
export function CheckTab() {
  const app = subject.value?.app
  if (app === undefined) return null
  const check = checks.value.get(app.id)
  const isRunning = check?.isRunning === true
  return (
    <div class="stack">
      <div class="row wrap">
        <Button
          look="primary"
          small
          icon="play"
          isBusy={isRunning}
          onClick={() => void runCheck(app)}
        >
          {isRunning ? 'Checking…' : 'Run check'}
        </Button>
        <p class="hint" dir="auto">
          As {checkSubject.value.name}. Sends valid and invalid requests, GET only.
        </p>
      </div>
      <div
        class={classes(layoutStyle.progress, isRunning && layoutStyle['is-busy'])}
        aria-hidden="true"
      />
      <FormError text={check?.error} />
      {check?.report !== undefined && (
        <ReportView report={check.report} checkedAs={check.checkedAs ?? ''} />
      )}
    </div>
  )
}
