import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import type { FaultPresetView, FaultSettings } from '../../faults/rules.ts'
import { setFaults } from '../state/faults.ts'
import { workspace } from '../state/workspace.ts'
import { formatEffect, isSameRule, formatTarget } from './format-rule.ts'
import { NewRule } from './new-rule.tsx'

/** The view for fault injection. */
export function FaultsView() {
  const state = workspace.value
  if (state === null) return null
  const { faults, faultPresets } = state
  return (
    <main class="page" id="main" tabIndex={-1}>
      <header class="page-head">
        <h1>Faults</h1>
        <p>
          Inject faults to test how your app and API client handle them. The same seed affects the
          same requests.
        </p>
      </header>
      <section class="page-part" aria-labelledby="presets">
        <h2 id="presets">Presets</h2>
        <div class="preset-grid">
          {faultPresets.map((preset) => (
            <Preset key={preset.id} preset={preset} faults={faults} />
          ))}
        </div>
      </section>
      <section class="page-part" aria-labelledby="rules">
        <div class="part-head">
          <h2 id="rules">Active rules</h2>
          <Seed faults={faults} />
          {faults.rules.length > 0 && (
            <button
              type="button"
              class="button button-small"
              onClick={() => {
                void setFaults({ ...faults, rules: [] })
              }}
            >
              Remove all
            </button>
          )}
        </div>
        <Rules faults={faults} />
        <NewRule faults={faults} />
      </section>
    </main>
  )
}

function Preset({ preset, faults }: { preset: FaultPresetView; faults: FaultSettings }) {
  const isOn =
    preset.rules.length > 0 &&
    preset.rules.every((rule) => faults.rules.some((other) => isSameRule(rule, other)))
  const others = faults.rules.filter((rule) => !preset.rules.some((each) => isSameRule(each, rule)))
  return (
    <button
      type="button"
      class="preset"
      aria-pressed={isOn}
      onClick={() => {
        void setFaults({ ...faults, rules: isOn ? others : [...others, ...preset.rules] })
      }}
    >
      <span class="switch" aria-hidden="true" />
      <span class="preset-name">{preset.name}</span>
      <span class="preset-text">{preset.description}</span>
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
    <ol class="fault-rules">
      {faults.rules.map((rule, index) => (
        <li key={index}>
          <span>
            <strong>{formatTarget(rule)}</strong> {formatEffect(rule.effect)}
          </span>
          <button
            type="button"
            class="icon-button"
            aria-label={`Remove rule ${index + 1}`}
            onClick={() => {
              void setFaults({ ...faults, rules: faults.rules.toSpliced(index, 1) })
            }}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ol>
  )
}

function Seed({ faults }: { readonly faults: FaultSettings }) {
  return (
    <label class="inline-field">
      Seed
      <input
        class="input input-small"
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
