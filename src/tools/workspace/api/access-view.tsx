import { useState } from 'preact/hooks'
import type { WorkspaceState } from '../../emulator/protocol/workspace.ts'
import { control } from '../core/control.ts'
import { notify } from '../core/notify.ts'
import { workspace } from '../core/workspace.ts'
import { Button } from '../parts/forms/button.tsx'
import { Confirm } from '../parts/forms/confirm.tsx'
import { CopyButton } from '../parts/forms/copy-button.tsx'
import { Icon } from '../parts/forms/icon.tsx'
import layoutStyle from '../parts/layout.module.css'
import { Section } from '../parts/section.tsx'
import { TaskList } from './task-list.tsx'
import accessStyle from './access.module.css'

/** The view with the access data of the API and its data set. */
export function AccessView() {
  const state = workspace.value
  if (state === null) return null
  const { baseUrl, accessToken } = state.api
  return (
    <main class={layoutStyle.page} id="main" tabIndex={-1}>
      <header class={layoutStyle['page-head']}>
        <h1>API and tasks</h1>
        <p>
          The service’s eight operations, on local data. The data persists if you start the emulator
          with a database file. Every request requires the access token.
        </p>
      </header>
      <Section title="Access">
        <dl>
          <Value name="Base URL" value={baseUrl} />
          <Value name="Access token" value={accessToken} />
          <Value name="cURL" value={curl(baseUrl, accessToken)} />
          <Value name="Sidecard client" value={client(baseUrl, accessToken)} />
        </dl>
        <p class="row wrap">
          <Button href="/docs" target="_blank">
            API documentation
            <Icon name="out" />
          </Button>
          <Button href="/openapi.json" target="_blank">
            openapi.json
            <Icon name="out" />
          </Button>
        </p>
      </Section>
      <TaskList />
      <Data state={state} />
    </main>
  )
}

function Value({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div class={accessStyle.row}>
      <dt class="muted">{name}</dt>
      <dd class="row between">
        <code>{value}</code>
        <CopyButton text={value} label={name.toLowerCase()} />
      </dd>
    </div>
  )
}

function Data({ state }: { readonly state: WorkspaceState }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <Section title="Data">
      <p>
        {state.organization.name} · <code>{state.organization.id}</code> · {state.issues.length}{' '}
        issues ·{' '}
        {state.strict
          ? 'strict: undocumented requests are rejected'
          : 'lenient: undocumented requests are reported in a response header'}
      </p>
      <p>
        <Button onClick={() => setAsking(true)}>Reset the data</Button>
      </p>
      {isAsking && (
        <Confirm
          title="Reset the data?"
          text="All tasks, redactions, faults and logs are discarded. Apps are kept."
          action="Reset"
          onConfirm={async () => {
            await control('POST reset', {})
            notify('Data reset')
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  )
}

function curl(baseUrl: string, token: string): string {
  return `curl -H 'Authorization: Bearer ${token}' ${baseUrl}/users`
}

function client(baseUrl: string, token: string): string {
  return `createClient({ baseUrl: '${baseUrl}', accessToken: '${token}' })`
}
