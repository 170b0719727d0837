import { useState } from 'preact/hooks'
import type { DatasetName, WorkspaceState } from '../../protocol.ts'
import { Confirm } from '../parts/confirm.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { notify } from '../state/notify.ts'
import { control } from '../state/control.ts'
import { workspace } from '../state/workspace.ts'

const SEEDS: readonly { readonly id: DatasetName; readonly text: string }[] = [
  { id: 'default', text: 'A few accounts, some with unusual names' },
  { id: 'large', text: 'Multi-page lists' },
  { id: 'empty', text: 'No data' },
]

/** The view with the access data of the API and its data set. */
export function AccessView() {
  const state = workspace.value
  if (state === null) return null
  const { baseUrl, accessToken } = state.api
  return (
    <main class="page" id="main" tabIndex={-1}>
      <header class="page-head">
        <h1>API</h1>
        <p>
          The service’s eight operations, on local data. The data persists if you start the emulator
          with a database file. Every request requires the access token.
        </p>
      </header>
      <section class="page-part" aria-labelledby="access">
        <h2 id="access">Access</h2>
        <dl class="access">
          <Value name="Base URL" value={baseUrl} />
          <Value name="Access token" value={accessToken} />
          <Value name="cURL" value={curl(baseUrl, accessToken)} />
          <Value name="Sidecard client" value={client(baseUrl, accessToken)} />
        </dl>
        <p class="link-row">
          <a class="button" href="/docs" target="_blank" rel="noopener noreferrer">
            API documentation
            <Icon name="out" />
          </a>
          <a class="button" href="/openapi.json" target="_blank" rel="noopener noreferrer">
            openapi.json
            <Icon name="out" />
          </a>
        </p>
      </section>
      <Data state={state} />
    </main>
  )
}

function Value({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div class="access-row">
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
        <CopyButton text={value} label={name.toLowerCase()} />
      </dd>
    </div>
  )
}

function Data({ state }: { readonly state: WorkspaceState }) {
  const [chosen, setChosen] = useState<DatasetName | null>(null)
  return (
    <section class="page-part" aria-labelledby="data">
      <h2 id="data">Data</h2>
      <p>
        {state.organization.name} · <code>{state.organization.id}</code> · {state.issues.length}{' '}
        issues ·{' '}
        {state.strict
          ? 'strict: undocumented requests are rejected'
          : 'lenient: undocumented requests are reported in a response header'}
      </p>
      <div class="preset-grid">
        {SEEDS.map(({ id, text }) => (
          <button
            key={id}
            type="button"
            class="preset"
            onClick={() => {
              setChosen(id)
            }}
          >
            <span class="preset-name">
              Reset to {id}
              {id === state.dataset && <span class="count">current</span>}
            </span>
            <span class="preset-text">{text}</span>
          </button>
        ))}
      </div>
      {chosen !== null && (
        <Confirm
          title={`Reset to the ${chosen} data?`}
          text="All tasks, redactions, faults and logs are discarded. Apps are kept."
          action="Reset"
          onConfirm={async () => {
            await control('POST', 'reset', { dataset: chosen })
            notify('Data reset')
          }}
          onClose={() => {
            setChosen(null)
          }}
        />
      )}
    </section>
  )
}

function curl(baseUrl: string, token: string): string {
  return `curl -H 'Authorization: Bearer ${token}' ${baseUrl}/users`
}

function client(baseUrl: string, token: string): string {
  return `createClient({ baseUrl: '${baseUrl}', accessToken: '${token}' })`
}
