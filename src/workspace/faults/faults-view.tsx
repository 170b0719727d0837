import type { FaultPresetView, FaultSettings } from '../../emulator/faults/rules.ts'
import { workspace } from '../core/workspace.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Input } from '../parts/field.tsx'
import { formatEffect, formatTarget } from './format-rule.ts'
import { NewRule } from './new-rule.tsx'
import { isActive, setFaults, togglePreset } from './set-faults.ts'
import { Section } from '../parts/section.tsx'
import fieldStyle from '../parts/field.module.css'
import layoutStyle from '../parts/layout.module.css'
import faultsStyle from './faults.module.css'

/** The view for fault injection. */
export function FaultsView() {
  const state = workspace.value
  if (state === null) return null
  const { faults, faultPresets } = state
  return (
    <main class={layoutStyle.page} id="main" tabIndex={-1}>
      <header class={layoutStyle['page-head']}>
        <h1>Faults</h1>
        <p>
          Inject faults to test how your app and API client handle them. The same seed affects the
          same requests.
        </p>
      </header>
      <Section title="Presets">
        <div class={layoutStyle['preset-grid']}>
          {faultPresets.map((preset) => (
            <Preset key={preset.id} preset={preset} faults={faults} />
          ))}
        </div>
      </Section>
      <Section
        title="Active rules"
        end={
          <>
            <Seed faults={faults} />
            {faults.rules.length > 0 && (
              <Button small onClick={() => void setFaults({ ...faults, rules: [] })}>
                Remove all
              </Button>
            )}
          </>
        }
      >
        <Rules faults={faults} />
        <NewRule faults={faults} />
      </Section>
    </main>
  )
}

function Preset({ preset, faults }: { preset: FaultPresetView; faults: FaultSettings }) {
  return (
    <button
      type="button"
      class={layoutStyle.preset}
      aria-pressed={isActive(preset, faults)}
      onClick={() => void togglePreset(preset)}
    >
      <span class={layoutStyle['preset-name']}>{preset.name}</span>
      <span class={layoutStyle.switch} aria-hidden="true" />
      <span class={layoutStyle['preset-text']}>{preset.description}</span>
    </button>
  )
}

function Rules({ faults }: { readonly faults: FaultSettings }) {
  if (faults.rules.length === 0) {
    return (
      <Empty icon="check" title="No active faults">
        <p>Choose a preset or add a rule.</p>
      </Empty>
    )
  }
  return (
    <ol class={faultsStyle['fault-rules']}>
      {faults.rules.map((rule, index) => (
        <li key={index} class="row between">
          <span>
            <strong>{formatTarget(rule)}</strong> {formatEffect(rule.effect)}
          </span>
          <IconButton
            icon="close"
            label={`Remove rule ${index + 1}`}
            onClick={() => void setFaults({ ...faults, rules: faults.rules.toSpliced(index, 1) })}
          />
        </li>
      ))}
    </ol>
  )
}

function Seed({ faults }: { readonly faults: FaultSettings }) {
  return (
    <label class={fieldStyle['inline-field']}>
      Seed
      <Input
        small
        type="number"
        inputMode="numeric"
        min={0}
        step={1}
        value={faults.seed}
        onChange={({ currentTarget }) => {
          const seed = currentTarget.valueAsNumber
          if (Number.isInteger(seed)) void setFaults({ ...faults, seed })
        }}
      />
    </label>
  )
}
