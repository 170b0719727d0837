import { useState } from 'preact/hooks'
import { notify } from '../core/notify.ts'
import { actionAgent } from '../core/preferences.ts'
import { set } from '../core/set.ts'
import { Field } from '../parts/forms/field.tsx'
import { FormDialog } from '../parts/forms/form-dialog.tsx'
import { openDialog } from './shortcuts.ts'

/** The dialog that chooses the agent for the pages of actions. */
export function AgentDialog() {
  const [agent, setAgent] = useState(actionAgent.peek())
  const save = async () => {
    actionAgent.value = agent.trim()
    notify(`Actions are opened as ${actionAgent.peek() || 'the developer'}`)
  }
  return (
    <FormDialog
      title="Agent of actions"
      size="small"
      action="Apply"
      onSubmit={save}
      onClose={set(openDialog, null)}
    >
      <p>Who opens and confirms actions. Your app gets the agent with SIDECARD_DEV=1.</p>
      <Field
        label="Email and groups, separated by commas"
        value={agent}
        maxLength={320}
        placeholder="ann@acme.example, finance"
        onText={setAgent}
      />
    </FormDialog>
  )
}
