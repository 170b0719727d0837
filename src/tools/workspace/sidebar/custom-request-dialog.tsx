import { useState } from 'preact/hooks'
import type { FetchDataParameter } from '../../../runtime/contract/parameters.ts'
import { MAX_ID_LENGTH } from '../../emulator/protocol/exchanges.ts'
import { Button } from '../parts/forms/button.tsx'
import { FormDialog } from '../parts/forms/form-dialog.tsx'
import { Field, Select } from '../parts/forms/field.tsx'
import { requestAs, type RequestAs, type Sections } from '../state/request-as.ts'
import { sentParameters } from '../state/sent-parameters.ts'
import { shownWidgets } from '../state/widgets.ts'
import fieldStyle from '../parts/forms/field.module.css'
import sidebarStyle from '../parts/widget/sidebar.module.css'

/** The labels of the parameters. Those that identify the customer come first. */
const LABELS = {
  account_id: 'Account ID',
  requester_email: 'Requester email',
  requester_id: 'Requester ID',
  organization_id: 'Organization ID',
  issue_id: 'Issue ID',
  app_id: 'App ID',
  widget_id: 'Widget ID',
} satisfies Record<FetchDataParameter, string>

const PARAMETERS = Object.keys(LABELS) as FetchDataParameter[]

interface CustomRequestDialogProps {
  readonly onApply: (change: Pick<RequestAs, 'params' | 'sections'>) => void
  readonly onClose: () => void
}

/** A form for the IDs and the sections of one request. An empty field sends the customer's own ID. */
export function CustomRequestDialog({ onApply, onClose }: CustomRequestDialogProps) {
  const { params: sent, sections: chosen } = requestAs.peek()
  const [params, setParams] = useState(sent)
  const [sections, setSections] = useState(chosen)
  const isDirty = JSON.stringify([params, sections]) !== JSON.stringify([sent, chosen])
  const clear = () => {
    setParams({})
    setSections({})
  }
  return (
    <FormDialog
      title="Custom request"
      action="Apply"
      other={<Button onClick={clear}>Clear</Button>}
      isDirty={isDirty}
      onSubmit={async () => onApply({ params, sections })}
      onClose={onClose}
    >
      <p class="hint">
        An empty field sends the customer’s own ID. To keep the request, choose Save as state in
        Requests.
      </p>
      <div class={sidebarStyle['id-fields']}>
        {PARAMETERS.map((parameter) => (
          <IdField
            key={parameter}
            parameter={parameter}
            value={params[parameter]}
            onChange={(value) => {
              const { [parameter]: _removed, ...others } = params
              setParams(value === undefined ? others : { ...others, [parameter]: value })
            }}
          />
        ))}
      </div>
      <SectionFields sections={sections} onChange={setSections} />
    </FormDialog>
  )
}

interface IdFieldProps {
  readonly parameter: FetchDataParameter
  readonly value: string | null | undefined
  readonly onChange: (value: string | null | undefined) => void
}

function IdField({ parameter, value, onChange }: IdFieldProps) {
  const isOmitted = value === null
  return (
    <Field
      label={LABELS[parameter]}
      code={parameter}
      mono
      maxLength={MAX_ID_LENGTH}
      disabled={isOmitted}
      placeholder={isOmitted ? 'not sent' : (sentParameters.value.get(parameter) ?? '')}
      value={value ?? ''}
      onText={(text) => onChange(text || undefined)}
    >
      <Button
        look="toggle"
        aria-pressed={isOmitted}
        aria-label={`Omit ${parameter}`}
        onClick={() => onChange(isOmitted ? undefined : null)}
      >
        Omit
      </Button>
    </Field>
  )
}

interface SectionFieldsProps {
  readonly sections: Sections
  readonly onChange: (sections: Sections) => void
}

const CONDITIONS = [
  ['', 'as it is'],
  ['failed', 'failed'],
  ['timeout', 'timed out'],
  ['empty', 'empty'],
] as const

function SectionFields({ sections, onChange }: SectionFieldsProps) {
  const titles = new Set([...Object.keys(sections), ...shownTitles()])
  if (titles.size === 0) return null
  return (
    <fieldset class={fieldStyle.group}>
      <legend>Sections</legend>
      <div class={sidebarStyle['id-fields']}>
        {[...titles].map((title) => (
          <label key={title} class={fieldStyle['inline-field']}>
            <span class="grow ellipsis" dir="auto">
              {title}
            </span>
            <Select
              small
              value={sections[title] ?? ''}
              options={CONDITIONS}
              onChange={({ currentTarget }) => {
                const { [title]: _removed, ...others } = sections
                const how = currentTarget.value as Sections[string] | ''
                onChange(how === '' ? others : { ...others, [title]: how })
              }}
            />
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Returns the titles of all shown cards, which include those of sections. */
function shownTitles(): readonly string[] {
  return shownWidgets.value
    .flatMap(({ load }) => load?.view?.payload?.components ?? [])
    .flatMap((component) => (component.type === 'card' ? (component.header?.title ?? []) : []))
}
