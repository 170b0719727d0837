import { Count } from '../parts/count.tsx'
import { toVerdictText } from '../../check/reporters/verdict-text.ts'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import { apps, findApp } from '../core/workspace.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { FormError, Select } from '../parts/field.tsx'
import fieldStyle from '../parts/field.module.css'
import { StatePill } from '../parts/state-pill.tsx'
import { routeHash } from '../sidebar/request-as.ts'
import { checks, checkSubject, checkSubjects, chosenSubject, runCheck } from './checks.ts'
import { ReportView } from './report-view.tsx'
import { classes } from '../core/classes.ts'
import layoutStyle from '../parts/layout.module.css'

/** The view that checks an app against the contract, as `sidecard check` does. */
export function ChecksView({ appId }: { readonly appId: string | null }) {
  const app = appId === null ? apps.value[0] : findApp(appId)
  return (
    <div class={layoutStyle['split-view']}>
      <nav class={layoutStyle['split-list']} aria-label="Apps">
        <h1 class={layoutStyle['split-title']}>Checks</h1>
        <ul class={layoutStyle.exchanges}>
          {apps.value.map((each) => (
            <li key={each.id}>
              <a
                class={layoutStyle['exchange-item']}
                href={routeHash('checks', each.id)}
                aria-current={each.id === app?.id ? 'page' : undefined}
              >
                <span class={layoutStyle['exchange-line']}>
                  <span class={layoutStyle['exchange-kind']} dir="auto">
                    {each.name}
                  </span>
                  <Summary app={each} />
                </span>
                <span class={classes(layoutStyle['exchange-line'], layoutStyle['exchange-facts'])}>
                  <span class="ellipsis">{each.url}</span>
                </span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main class={layoutStyle['split-main']} id="main" tabIndex={-1}>
        {app === undefined && apps.value.length > 0 ? (
          <Empty icon="check" heading="h2" title="App not found">
            <p>It was deleted, or the emulator was reset.</p>
          </Empty>
        ) : app === undefined ? (
          <Empty icon="check" heading="h2" title="No app to check">
            <p>Connect an app to check whether its endpoint conforms to the contract.</p>
            <Button look="primary" href={routeHash('apps', 'new')}>
              Connect an app
            </Button>
          </Empty>
        ) : (
          <AppCheck key={app.id} app={app} />
        )}
      </main>
    </div>
  )
}

function Summary({ app }: { readonly app: AppView }) {
  const report = checks.value.get(app.id)?.report
  if (report === undefined) return <StatePill app={app} />
  const { fail, warn } = report.summary
  if (fail > 0) return <Count tone="bad">{fail} failed</Count>
  if (warn > 0)
    return (
      <Count tone="warn">
        {warn} {warn === 1 ? 'warning' : 'warnings'}
      </Count>
    )
  return toVerdictText(report, { strict: false, allowUnproven: true }).tone === 'good' ? (
    <Count tone="good">passed</Count>
  ) : (
    <Count tone="warn">not proven</Count>
  )
}

function AppCheck({ app }: { readonly app: AppView }) {
  const check = checks.value.get(app.id)
  const isRunning = check?.isRunning === true
  return (
    <article class={layoutStyle.detail}>
      <header class={layoutStyle['detail-head']}>
        <div class={layoutStyle['detail-title']}>
          <h2 dir="auto">{app.name}</h2>
          <p class="muted">
            Sends valid and invalid handshakes and data fetches, and checks the responses. GET only.
          </p>
        </div>
        <div class={layoutStyle['detail-actions']}>
          <label class={fieldStyle['inline-field']}>
            Check as
            <Select
              small
              value={checkSubject.value.name}
              onChange={({ currentTarget }) => {
                chosenSubject.value = currentTarget.value
              }}
            >
              {checkSubjects.value.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          </label>
          <Button
            look="primary"
            small
            icon="play"
            disabled={isRunning}
            onClick={() => void runCheck(app)}
          >
            {isRunning ? 'Checking…' : 'Run check'}
          </Button>
        </div>
      </header>
      <div
        class={classes(layoutStyle.progress, isRunning && layoutStyle['is-busy'])}
        aria-hidden="true"
      />
      <FormError text={check?.error} />
      {check?.report === undefined ? (
        !isRunning && (
          <Empty icon="check" title="Not checked yet">
            <p>
              Runs the same rules as <code>sidecard check {app.url}</code>
            </p>
          </Empty>
        )
      ) : (
        <ReportView report={check.report} checkedAs={check.checkedAs ?? ''} />
      )}
    </article>
  )
}
