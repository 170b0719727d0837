import { Button, IconButton } from '../parts/button.tsx'
import { Input } from '../parts/field.tsx'
import type { HeaderDraft } from './app-draft.ts'
import style from '../parts/field.module.css'

interface HeaderRowsProps {
  readonly headers: readonly HeaderDraft[]
  /** The name of the header that was rejected, in lowercase. */
  readonly wrongName: string | null
  readonly onChange: (headers: readonly HeaderDraft[]) => void
}

/** The custom headers of an app. Their values are write-only. */
export function HeaderRows({ headers, wrongName, onChange }: HeaderRowsProps) {
  const put = (header: HeaderDraft) => {
    onChange(headers.map((old) => (old.key === header.key ? header : old)))
  }
  return (
    <fieldset class={style.group}>
      <legend>Custom headers</legend>
      <p class="hint">
        Sent with every request, including the handshake. Add your endpoint’s secret here. Values
        are write-only.
      </p>
      {headers.map((header, index) => (
        <HeaderRow
          key={header.key}
          header={header}
          number={index + 1}
          isWrong={wrongName !== null && header.name.trim().toLowerCase() === wrongName}
          onChange={put}
          onRemove={() => onChange(headers.filter(({ key }) => key !== header.key))}
        />
      ))}
      <Button
        small
        icon="plus"
        onClick={() => {
          const key = Math.max(-1, ...headers.map((header) => header.key)) + 1
          onChange([...headers, { key, name: '', value: '', isKept: false }])
        }}
      >
        Add header
      </Button>
    </fieldset>
  )
}

interface HeaderRowProps {
  readonly header: HeaderDraft
  readonly number: number
  readonly isWrong: boolean
  readonly onChange: (header: HeaderDraft) => void
  readonly onRemove: () => void
}

function HeaderRow({ header, number, isWrong, onChange, onRemove }: HeaderRowProps) {
  const { name, value, isKept } = header
  return (
    <div class={style.row}>
      <Input
        mono
        aria-label={`Header ${number} name`}
        aria-invalid={isWrong}
        placeholder="x-sidecard-secret"
        value={name}
        readOnly={isKept}
        onInput={({ currentTarget }) => onChange({ ...header, name: currentTarget.value })}
      />
      {isKept ? (
        <span class={style['kept-value']}>
          <span>Unchanged</span>
          <Button
            look="link"
            aria-label={`Replace the value of ${name}`}
            onClick={() => onChange({ ...header, isKept: false })}
          >
            Replace
          </Button>
        </span>
      ) : (
        <Input
          mono
          type="password"
          aria-label={`Header ${number} value`}
          aria-invalid={isWrong}
          placeholder="Value"
          autocomplete="new-password"
          value={value}
          onInput={({ currentTarget }) => onChange({ ...header, value: currentTarget.value })}
        />
      )}
      <IconButton
        icon="close"
        label={`Remove header ${name === '' ? number : name}`}
        onClick={onRemove}
      />
    </div>
  )
}
