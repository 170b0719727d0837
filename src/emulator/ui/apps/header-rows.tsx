import { Icon } from '../parts/icon.tsx'
import type { HeaderDraft } from './app-draft.ts'

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
    <fieldset class="field-group">
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
          onRemove={() => {
            onChange(headers.filter(({ key }) => key !== header.key))
          }}
        />
      ))}
      <button
        type="button"
        class="button button-small"
        onClick={() => {
          const key = Math.max(-1, ...headers.map((header) => header.key)) + 1
          onChange([...headers, { key, name: '', value: '', isKept: false }])
        }}
      >
        <Icon name="plus" />
        Add header
      </button>
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
    <div class="header-row">
      <input
        class="input mono"
        aria-label={`Header ${number} name`}
        aria-invalid={isWrong}
        placeholder="x-sidecard-secret"
        autocomplete="off"
        spellcheck={false}
        value={name}
        readOnly={isKept}
        onInput={({ currentTarget }) => {
          onChange({ ...header, name: currentTarget.value })
        }}
      />
      {isKept ? (
        <span class="kept-value">
          <span>Unchanged</span>
          <button
            type="button"
            class="as-link"
            aria-label={`Replace the value of ${name}`}
            onClick={() => {
              onChange({ ...header, isKept: false })
            }}
          >
            Replace
          </button>
        </span>
      ) : (
        <input
          class="input mono"
          type="password"
          aria-label={`Header ${number} value`}
          aria-invalid={isWrong}
          placeholder="Value"
          autocomplete="new-password"
          value={value}
          onInput={({ currentTarget }) => {
            onChange({ ...header, value: currentTarget.value })
          }}
        />
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={`Remove header ${name === '' ? number : name}`}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}
