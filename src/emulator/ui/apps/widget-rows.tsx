import { Icon } from '../parts/icon.tsx'

interface WidgetRowsProps {
  readonly widgets: readonly string[]
  readonly onChange: (widgets: readonly string[]) => void
}

/** The widgets of an app. Each is a panel in the sidebar with its own data fetch. */
export function WidgetRows({ widgets, onChange }: WidgetRowsProps) {
  return (
    <fieldset class="field-group">
      <legend>Widgets</legend>
      <p class="hint">
        Each widget is a separate panel with its own ID. Most apps have one, named after the app.
      </p>
      {widgets.map((name, index) => (
        <div class="header-row" key={index}>
          <input
            class="input"
            aria-label={`Widget ${index + 1} name`}
            placeholder="App name"
            autocomplete="off"
            value={name}
            onInput={({ currentTarget }) => {
              onChange(widgets.with(index, currentTarget.value))
            }}
          />
          {widgets.length > 1 && (
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove widget ${name === '' ? index + 1 : name}`}
              onClick={() => {
                onChange(widgets.toSpliced(index, 1))
              }}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
      <button
        type="button"
        class="button button-small"
        onClick={() => {
          onChange([...widgets, ''])
        }}
      >
        <Icon name="plus" />
        Add widget
      </button>
    </fieldset>
  )
}
