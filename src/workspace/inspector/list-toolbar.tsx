import { plural } from '../core/format.ts'
import { set } from '../core/set.ts'
import { useRef } from 'preact/hooks'
import { MAX_EXCHANGES } from '../../emulator/protocol/exchanges.ts'
import { workspace } from '../core/workspace.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { Input, Select } from '../parts/field.tsx'
import { Menu } from '../parts/menu.tsx'
import {
  clearExchanges,
  exchangeFilter,
  exchanges,
  exportHar,
  FILTER_NAMES,
  FILTERS,
  importHar,
  NO_FILTER,
  pauseExchanges,
  shownExchanges,
} from './exchanges.ts'
import type { FilterName } from './exchanges.ts'
import style from './inspector.module.css'

/** The toolbar with the filters of the list and the actions for the whole log. */
export function ListToolbar() {
  const file = useRef<HTMLInputElement>(null)
  const all = exchanges.value ?? []
  const shown = shownExchanges.value
  const isPaused = workspace.value?.exchanges?.paused === true
  const limit = workspace.value?.exchanges?.limit ?? MAX_EXCHANGES
  const isFiltered = shown.length < all.length
  return (
    <search class={style['list-toolbar']} aria-label="Requests">
      <div class={style['list-tools']}>
        <Input
          id="request-search"
          type="search"
          aria-label="Filter requests"
          placeholder="Filter by ID, email, trace ID, …"
          value={exchangeFilter.value.text}
          onInput={({ currentTarget }) => setFilter({ text: currentTarget.value })}
        />
        <IconButton
          icon={isPaused ? 'play' : 'pause'}
          label="Pause recording"
          title={isPaused ? 'Resume recording' : 'Pause recording'}
          aria-pressed={isPaused}
          onClick={() => void pauseExchanges(!isPaused)}
        />
        <IconButton
          icon="trash"
          label="Clear requests"
          title="Clear requests"
          disabled={all.length === 0}
          onClick={() => void clearExchanges()}
        />
        <Menu
          label="More request tools"
          items={[
            {
              label: isFiltered ? 'Export shown as HAR' : 'Export as HAR',
              icon: 'download',
              isDisabled: shown.length === 0,
              onChoose: () => void exportHar(isFiltered ? shown.map(({ id }) => id) : undefined),
            },
            { label: 'Import HAR', icon: 'upload', onChoose: () => file.current?.click() },
          ]}
        />
        <input
          ref={file}
          type="file"
          class="visually-hidden"
          accept=".har,application/json"
          aria-label="HAR file"
          tabIndex={-1}
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.files?.[0]
            if (chosen !== undefined) void importHar(chosen)
            currentTarget.value = ''
          }}
        />
      </div>
      <div class={style['list-filters']}>
        {FILTER_NAMES.map((name) => (
          <FilterSelect key={name} name={name} />
        ))}
      </div>
      <output class={style['list-count']}>
        {isFiltered && `${shown.length} of `}
        {plural(all.length, 'request')}
        {`, the last ${limit.toLocaleString('en')} are kept`}
        {isPaused && <strong> · Paused</strong>}
        {isFiltered && (
          <Button look="link" onClick={set(exchangeFilter, NO_FILTER)}>
            Show all
          </Button>
        )}
      </output>
    </search>
  )
}

function FilterSelect({ name }: { readonly name: FilterName }) {
  const { label, valueOf, format } = FILTERS[name]
  const chosen = exchangeFilter.value[name]
  const values = (exchanges.value ?? []).flatMap((exchange) => valueOf(exchange) ?? [])
  const choices = [...new Set(chosen === '' ? values : [chosen, ...values])].sort()
  if (chosen === '' && choices.length < 2) return null
  return (
    <Select
      small
      aria-label={label}
      value={chosen}
      options={[['', label], ...choices.map((value) => [value, format(value)] as const)]}
      onChange={({ currentTarget }) => setFilter({ [name]: currentTarget.value })}
    />
  )
}

function setFilter(change: Partial<typeof NO_FILTER>): void {
  exchangeFilter.value = { ...exchangeFilter.peek(), ...change }
}
