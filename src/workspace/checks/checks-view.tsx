import { Count } from '../parts/count.tsx'
import { toVerdictText } from '../../check/reporters/verdict-text.ts'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import { plural } from '../core/format.ts'
import { route } from '../core/route.ts'
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
import { ListLink, ListView } from '../parts/list.tsx'
import layoutStyle from '../parts/layout.module.css'
import listStyle from '../parts/list.module.css'

/** The view that checks an app against the contract, as `sidecard check` does. */
export function ChecksView() {
  const { id } = route.value
  const app = id === null ? apps.value[0] : findApp(id)
  return (
    <ListView
      label="Apps"
      list={
        <>
          <h1 class={listStyle.title}>Checks</h1>
          <ul class={listStyle.items}>
            {apps.value.map((each) => (
              <li key={each.id}>
                <ListLink href={routeHash('checks', each.id)} isOpen={each.id === app?.id}>
                  <span class="row">
                    <b dir="auto">{each.name}</b>
                    <Summary app={each} />
                  </span>
                  <span class="hint ellipsis">{each.url}</span>
                </ListLink>
              </li>
            ))}
          </ul>
        </>
      }
    >
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
    </ListView>
  )
}

function Summary({ app }: { readonly app: AppView }) {
  const report = checks.value.get(app.id)?.report
  if (report === undefined) return <StatePill app={app} />
  const { fail, warn } = report.summary
  if (fail > 0) return <Count tone="bad">{fail} failed</Count>
  if (warn > 0) return <Count tone="warn">{plural(warn, 'warning')}</Count>
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
          <h2 class="title" dir="auto">
            {app.name}
          </h2>
          <p class="muted">
            Sends valid and invalid handshakes and data fetches, and checks the responses. GET only.
          </p>
        </div>
        <div class="row wrap">
          <label class={fieldStyle['inline-field']}>
            Check as
            <Select
              small
              value={checkSubject.value.name}
              options={checkSubjects.value.map(({ name }) => [name, name])}
              onChange={({ currentTarget }) => {
                chosenSubject.value = currentTarget.value
              }}
            />
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
