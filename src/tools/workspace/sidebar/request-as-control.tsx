import { set } from '../core/set.ts'
import { signal } from '@preact/signals'
import { Button } from '../parts/forms/button.tsx'
import { Select } from '../parts/forms/field.tsx'
import { CustomRequestDialog } from './custom-request-dialog.tsx'
import {
  isCustomRequest,
  NORMAL,
  requestAs,
  type RequestAs,
  requestKey,
  setRequestAs,
  unknownRequest,
} from '../state/request-as.ts'
import { currentChoice, requestChoices } from '../state/request-choices.ts'
import { shownWidgets } from '../state/widgets.ts'
import style from '../parts/widget/sidebar.module.css'

const CUSTOM = 'custom'
const OWN = requestKey(NORMAL)

/** Whether the dialog for custom IDs and sections is open. */
export const editsRequest = signal(false)

/** The control that chooses the customer or state for which the sidebar is requested. */
export function RequestAsControl() {
  const groups = Map.groupBy(requestChoices.value, ({ group }) => group)
  const isOwn = requestKey(requestAs.value) === OWN
  const current = isOwn ? OWN : (currentChoice.value?.key ?? CUSTOM)
  return (
    <>
      <Select
        id="request-as"
        aria-label="Request as"
        value={current}
        onChange={({ currentTarget }) => {
          const { value } = currentTarget
          const choice = requestChoices.peek().find(({ key }) => key === value)
          currentTarget.value = current
          // A focused select would receive the keys of the next shortcut. With the keyboard, it keeps the focus.
          if (!currentTarget.matches(':focus-visible')) currentTarget.blur()
          if (value === CUSTOM) editsRequest.value = true
          else setRequestAs(choice?.request ?? NORMAL)
        }}
      >
        <option value={OWN}>The issue’s customer</option>
        {[...groups].map(([group, choices]) => (
          <optgroup key={group} label={group}>
            {choices.map(({ key, name, place }) => (
              <option key={key} value={key} title={place}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
        <option value={CUSTOM}>Custom…</option>
      </Select>
      {editsRequest.value && (
        <CustomRequestDialog
          onClose={set(editsRequest, false)}
          onApply={(change) => {
            editsRequest.value = false
            setRequestAs({ ...requestAs.peek(), ...change })
          }}
        />
      )}
    </>
  )
}

/** A banner that is shown if the sidebar is not that of the customer. */
export function RequestBanner() {
  const unknown = unknownRequest.value
  // Without this banner, a colleague's link would silently show another state.
  if (unknown !== null) {
    return (
      <Banner
        name={`Unknown ${unknown.kind}.`}
        text={`The project has no ${unknown.kind} called “${unknown.name}”.`}
        action="Ignore"
        next={requestAs.value}
      />
    )
  }
  const { subject } = requestAs.value
  if (subject === null && !isCustomRequest.value) return null
  return (
    <>
      <Banner
        name={subject?.name ?? 'Custom.'}
        text={describeRequest()}
        action="Back to normal"
        next={NORMAL}
      />
      {unappliedConditions().map((text) => (
        <output key={text} class="hint tone-warn">
          {text}
        </output>
      ))}
    </>
  )
}

interface BannerProps {
  readonly name: string
  readonly text: string
  readonly action: string
  readonly next: RequestAs
}

function Banner({ name, text, action, next }: BannerProps) {
  return (
    <div class={style['request-banner']}>
      <output>
        <strong dir="auto">{name}</strong> {text}
      </output>
      <Button look="link" onClick={() => setRequestAs(next)}>
        {action}
      </Button>
    </div>
  )
}

function describeRequest(): string {
  const { params, sections } = requestAs.value
  const { length } = Object.keys(params)
  const conditions = Object.entries(sections).map(([title, how]) => `${title}: ${how}`)
  return [
    currentChoice.value?.place ?? '',
    length > 0 && (length === 1 ? '1 custom ID' : `${length} custom IDs`),
    ...conditions,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Returns the reasons why widgets do not show a condition, each once. */
function unappliedConditions(): readonly string[] {
  return [...new Set(shownWidgets.value.flatMap(({ load }) => load?.view?.unapplied ?? []))]
}
