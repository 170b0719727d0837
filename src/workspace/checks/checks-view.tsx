import { useSignal } from '@preact/signals'
import type { Report } from '../../check/report.ts'
import { toVerdictText } from '../../check/reporters/verdict-text.ts'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import { apps, findApp } from '../core/workspace.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { FormError } from '../parts/field.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { routeHash } from '../sidebar/request-as.ts'
import { checks, runCheck } from './checks.ts'
import { ReportView } from './report-view.tsx'
import { classes } from '../core/classes.ts'
import layoutStyle from '../parts/layout.module.css'
import statusStyle from '../parts/status.module.css'

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
  if (fail > 0)
    return <span class={classes(statusStyle.count, statusStyle['count-bad'])}>{fail} failed</span>
  if (warn > 0)
    return (
      <span class={classes(statusStyle.count, statusStyle['count-warn'])}>
        {warn} {warn === 1 ? 'warning' : 'warnings'}
      </span>
    )
  return toVerdictText(report, { strict: false }).tone === 'good' ? (
    <span class={classes(statusStyle.count, statusStyle['count-good'])}>passed</span>
  ) : (
    <span class={classes(statusStyle.count, statusStyle['count-warn'])}>not proven</span>
  )
}

function AppCheck({ app }: { readonly app: AppView }) {
  const onlyFailing = useSignal(false)
  const check = checks.value.get(app.id)
  return (
    <article class={layoutStyle.detail}>
      <header class={layoutStyle['detail-head']}>
        <div class={layoutStyle['detail-title']}>
          <h2 dir="auto">{app.name}</h2>
          <p class={layoutStyle['detail-facts']}>
            {check?.report === undefined ? (
              <span class="muted">
                Sends valid and invalid handshakes and data fetches, and checks the responses. GET
                only.
              </span>
            ) : (
              <Counts report={check.report} />
            )}
          </p>
        </div>
        <div class={layoutStyle['detail-actions']}>
          {check?.report !== undefined && (
            <Button
              look="toggle"
              aria-pressed={onlyFailing.value}
              onClick={() => {
                onlyFailing.value = !onlyFailing.value
              }}
            >
              Only failures and warnings
            </Button>
          )}
          <Button
            look="primary"
            small
            icon="play"
            disabled={check?.isRunning === true}
            onClick={() => void runCheck(app)}
          >
            {check?.isRunning === true ? 'Checking…' : 'Run check'}
          </Button>
        </div>
      </header>
      <div
        class={
          check?.isRunning === true
            ? `${layoutStyle.progress} ${layoutStyle['is-busy']}`
            : layoutStyle.progress
        }
        aria-hidden="true"
      />
      <FormError text={check?.error} />
      {check?.report === undefined ? (
        check?.isRunning !== true && (
          <Empty icon="check" title="Not checked yet">
            <p>
              Runs the same rules as <code>sidecard check {app.url}</code>
            </p>
          </Empty>
        )
      ) : (
        <ReportView report={check.report} onlyFailing={onlyFailing.value} />
      )}
    </article>
  )
}

/** The checker's own headline names an option of the CLI. */
const NO_CUSTOMER_DATA =
  'No customer data was checked. Under Request as, choose IDs that the endpoint knows.'

function Counts({ report }: { readonly report: Report }) {
  const { pass, fail, warn, skip } = report.summary
  const { headline, tone } = toVerdictText(report, { strict: false })
  return (
    <>
      <span class={classes(layoutStyle.verdict, layoutStyle[`verdict-${tone}`])}>
        {report.verdict === 'no_customer_data' ? NO_CUSTOMER_DATA : headline}
      </span>
      {fail > 0 && <span>{fail} failed</span>}
      <span>{pass} passed</span>
      {warn > 0 && (
        <span>
          {warn} {warn === 1 ? 'warning' : 'warnings'}
        </span>
      )}
      {skip > 0 && <span>{skip} skipped</span>}
      <span>
        {report.requests} requests in {(report.durationMs / 1000).toFixed(1)} s
      </span>
    </>
  )
}
