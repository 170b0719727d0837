import { plural } from '../core/format.ts'
import { set } from '../core/set.ts'
import { MAX_EXCHANGES } from '../../emulator/protocol/exchanges.ts'
import { Button, IconButton } from '../parts/forms/button.tsx'
import { Search } from '../parts/forms/field.tsx'
import { clearExchanges, exchangeSearch, exchanges, shownExchanges } from '../state/exchanges.ts'
import style from '../parts/exchange/inspector.module.css'

/** The toolbar with the search and the actions for the whole log. */
export function ListToolbar() {
  const all = exchanges.value ?? []
  const shown = shownExchanges.value
  const isFiltered = shown.length < all.length
  return (
    <search class={style['list-toolbar']} aria-label="Requests">
      <div class={style['list-tools']}>
        <Search
          id="request-search"
          label="Filter requests"
          placeholder="Filter by ID, email, trace ID, …"
          text={exchangeSearch}
        />
        <IconButton
          icon="trash"
          label="Clear requests"
          title="Clear requests"
          disabled={all.length === 0}
          onClick={() => void clearExchanges()}
        />
      </div>
      <output class={style['list-count']}>
        {isFiltered && `${shown.length} of `}
        {plural(all.length, 'request')}
        {`, the last ${MAX_EXCHANGES.toLocaleString('en')} are kept`}
        {isFiltered && (
          <Button look="link" onClick={set(exchangeSearch, '')}>
            Show all
          </Button>
        )}
      </output>
    </search>
  )
}
