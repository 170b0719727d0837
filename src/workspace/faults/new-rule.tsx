import { useState } from 'preact/hooks'
import type { FaultSettings } from '../../emulator/faults/rules.ts'
import type { FaultEffect, FaultRule, FaultSide } from '../../emulator/faults/rules.ts'
import { Button } from '../parts/button.tsx'
import { Input, Select } from '../parts/field.tsx'
import { setFaults } from './set-faults.ts'
import fieldStyle from '../parts/field.module.css'
import faultsStyle from './faults.module.css'

interface EffectChoice {
  readonly name: string
  readonly sides: readonly FaultSide[]
  readonly effect: FaultEffect
}

const SIDES = [
  ['apps', 'Calls to apps'],
  ['api', 'The API'],
] as const

const BOTH: readonly FaultSide[] = ['api', 'apps']

const EFFECTS: readonly EffectChoice[] = [
  { name: 'delay by 3 s', sides: BOTH, effect: { type: 'delay', delayMs: 3_000 } },
  { name: 'return 500', sides: BOTH, effect: { type: 'status', status: 500 } },
  {
    name: 'return 429, Retry-After 5 s',
    sides: BOTH,
    effect: { type: 'status', status: 429, retryAfterSeconds: 5 },
  },
  { name: 'close the connection', sides: BOTH, effect: { type: 'reset' } },
  { name: 'truncate the body', sides: ['api'], effect: { type: 'cut_off' } },
  { name: 'schema drift', sides: ['api'], effect: { type: 'schema_drift' } },
  { name: 'repeat the cursor', sides: ['api'], effect: { type: 'bad_pagination', kind: 'repeat' } },
  { name: 'abort after 1 s', sides: ['apps'], effect: { type: 'hang_up', afterMs: 1_000 } },
]

/** A form in one line for a new rule. */
export function NewRule({ faults }: { readonly faults: FaultSettings }) {
  const [side, setSide] = useState<FaultSide>('apps')
  const choices = EFFECTS.filter(({ sides }) => sides.includes(side))
  const add = (form: HTMLFormElement) => {
    const data = new FormData(form)
    const text = (name: string) => (data.get(name) as string).trim()
    const chosen = choices.find(({ name }) => name === text('effect'))
    if (chosen === undefined) return
    const operation = text('operation')
    const percent = Number(text('percent')) || 100
    const rule: FaultRule = {
      side,
      ...(operation !== '' && { operation }),
      ...(percent < 100 && { probability: Math.max(0, percent) / 100 }),
      effect: chosen.effect,
    }
    void setFaults({ ...faults, rules: [...faults.rules, rule] })
  }
  return (
    <form
      class={faultsStyle['new-rule']}
      aria-label="New rule"
      onSubmit={(event) => {
        event.preventDefault()
        add(event.currentTarget)
      }}
    >
      <Select
        aria-label="Side"
        value={side}
        options={SIDES}
        onChange={({ currentTarget }) => setSide(currentTarget.value === 'api' ? 'api' : 'apps')}
      />
      <Input
        mono
        name="operation"
        aria-label="Operation"
        placeholder={
          side === 'api'
            ? 'all operations, or one such as listUsers'
            : 'both requests, or one such as fetch_data'
        }
      />
      <Select name="effect" aria-label="Effect" options={choices.map(({ name }) => [name, name])} />
      <label class={fieldStyle['inline-field']}>
        <Input
          small
          type="number"
          aria-label="Percentage of requests"
          min={1}
          max={100}
          name="percent"
          defaultValue={100}
        />
        %
      </label>
      <Button type="submit" icon="plus">
        Add rule
      </Button>
    </form>
  )
}
