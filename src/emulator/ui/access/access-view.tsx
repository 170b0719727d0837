import { useState } from 'preact/hooks'
import type { SeedName, WorkspaceState } from '../../protocol.ts'
import { Confirm } from '../parts/confirm.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { announce } from '../state/announce.ts'
import { control } from '../state/control.ts'
import { workspace } from '../state/workspace.ts'

const SEEDS: readonly { readonly id: SeedName; readonly text: string }[] = [
  { id: 'default', text: 'A few accounts, with unusual names among them' },
  { id: 'large', text: 'Enough of everything that lists have several pages' },
  { id: 'empty', text: 'Nothing' },
]

/** How a client reaches the API, and what the API is filled with. */
export function AccessView() {
  const state = workspace.value
  if (state === null) return null
  const { baseUrl, accessToken } = state.api
  return (
    <main class="page" id="main" tabIndex={-1}>
      <header class="page-head">
        <h1>API</h1>
        <p>
          The eight operations of the service answer here, over data that outlives a restart when
          the emulator was given a file. Every request needs the token.
        </p>
      </header>
      <section class="page-part" aria-labelledby="access">
        <h2 id="access">Access</h2>
        <dl class="access">
          <Value name="Base URL" value={baseUrl} />
          <Value name="Access token" value={accessToken} />
          <Value name="In a shell" value={curl(baseUrl, accessToken)} />
          <Value name="With the client" value={client(baseUrl, accessToken)} />
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
        <CopyButton text={value} what={name.toLowerCase()} />
      </dd>
    </div>
  )
}

function Data({ state }: { readonly state: WorkspaceState }) {
  const [chosen, setChosen] = useState<SeedName | null>(null)
  return (
    <section class="page-part" aria-labelledby="data">
      <h2 id="data">Data</h2>
      <p>
        {state.organization.name} · <code>{state.organization.id}</code> · {state.issues.length}{' '}
        issues ·{' '}
        {state.strict
          ? 'strict: a request outside the contract is refused'
          : 'lenient: a request outside the contract is named in a header of its answer'}
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
              {id === state.seed && <span class="count">now</span>}
            </span>
            <span class="preset-text">{text}</span>
          </button>
        ))}
      </div>
      {chosen !== null && (
        <Confirm
          title={`Reset to the ${chosen} data?`}
          text="What was changed since the emulator started is lost: tasks and redactions. Apps stay."
          action="Reset"
          onConfirm={async () => {
            await control('POST', 'reset', { seed: chosen })
            announce('The data was reset')
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
