import { Button, IconButton } from '../parts/button.tsx'
import { Input } from '../parts/field.tsx'
import style from '../parts/field.module.css'

interface WidgetRowsProps {
  readonly widgets: readonly string[]
  readonly onChange: (widgets: readonly string[]) => void
}

/** The widgets of an app. Each is a panel in the sidebar with its own data fetch. */
export function WidgetRows({ widgets, onChange }: WidgetRowsProps) {
  return (
    <fieldset class={style.group}>
      <legend>Widgets</legend>
      <p class="hint">
        Each widget is a separate panel with its own ID. Most apps have one, named after the app.
      </p>
      {widgets.map((name, index) => (
        <div class={style.row} key={index}>
          <Input
            aria-label={`Widget ${index + 1} name`}
            placeholder="App name"
            value={name}
            onInput={({ currentTarget }) => onChange(widgets.with(index, currentTarget.value))}
          />
          {widgets.length > 1 && (
            <IconButton
              icon="close"
              label={`Remove widget ${name === '' ? index + 1 : name}`}
              onClick={() => onChange(widgets.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      <Button small icon="plus" onClick={() => onChange([...widgets, ''])}>
        Add widget
      </Button>
    </fieldset>
  )
}
