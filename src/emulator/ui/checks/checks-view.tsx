import { useSignal } from '@preact/signals'
import type { Report } from '../../../check/report.ts'
import { toVerdictText } from '../../../check/reporters/verdict-text.ts'
import type { AppView } from '../../protocol.ts'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { checks, runCheck } from '../state/checks.ts'
import { routeHash } from '../state/request-as.ts'
import { apps, findApp } from '../state/workspace.ts'
import { ReportView } from './report-view.tsx'

/** The view that checks an app against the contract, as `sidecard check` does. */
export function ChecksView({ appId }: { readonly appId: string | null }) {
  const app = appId === null ? apps.value[0] : findApp(appId)
  return (
    <div class="split-view">
      <nav class="split-list" aria-label="Apps">
        <h1 class="split-title">Checks</h1>
        <ul class="exchanges">
          {apps.value.map((each) => (
            <li key={each.id}>
              <a
                class="exchange-item"
                href={routeHash('checks', each.id)}
                aria-current={each.id === app?.id ? 'page' : undefined}
              >
                <span class="exchange-line">
                  <span class="exchange-kind" dir="auto">
                    {each.name}
                  </span>
                  <Summary app={each} />
                </span>
                <span class="exchange-line exchange-facts">
                  <span class="ellipsis">{each.url}</span>
                </span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main class="split-main" id="main" tabIndex={-1}>
        {app === undefined && apps.value.length > 0 ? (
          <Empty icon="check" heading="h2" title="App not found">
            <p>It was deleted, or the emulator was reset.</p>
          </Empty>
        ) : app === undefined ? (
          <Empty icon="check" heading="h2" title="No app to check">
            <p>Connect an app to check whether its endpoint conforms to the contract.</p>
            <a class="button button-primary" href={routeHash('apps', 'new')}>
              Connect an app
            </a>
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
  if (fail > 0) return <span class="count count-bad">{fail} failed</span>
  if (warn > 0)
    return (
      <span class="count count-warn">
        {warn} {warn === 1 ? 'warning' : 'warnings'}
      </span>
    )
  return toVerdictText(report, { strict: false, allowUnproven: true }).tone === 'good' ? (
    <span class="count count-good">passed</span>
  ) : (
    <span class="count count-warn">not proven</span>
  )
}

function AppCheck({ app }: { readonly app: AppView }) {
  const onlyFailing = useSignal(false)
  const check = checks.value.get(app.id)
  return (
    <article class="detail">
      <header class="detail-head">
        <div class="detail-title">
          <h2 dir="auto">{app.name}</h2>
          <p class="detail-facts">
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
        <div class="detail-actions">
          {check?.report !== undefined && (
            <button
              type="button"
              class="toggle"
              aria-pressed={onlyFailing.value}
              onClick={() => {
                onlyFailing.value = !onlyFailing.value
              }}
            >
              Only failures and warnings
            </button>
          )}
          <button
            type="button"
            class="button button-small button-primary"
            disabled={check?.isRunning === true}
            onClick={() => {
              void runCheck(app)
            }}
          >
            <Icon name="play" />
            {check?.isRunning === true ? 'Checking…' : 'Run check'}
          </button>
        </div>
      </header>
      <div class={check?.isRunning === true ? 'progress is-busy' : 'progress'} aria-hidden="true" />
      {check?.error !== undefined && (
        <p class="form-error" role="alert">
          {check.error}
        </p>
      )}
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
  const { headline, tone } = toVerdictText(report, { strict: false, allowUnproven: true })
  return (
    <>
      <span class={`verdict verdict-${tone}`}>
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
