import { computed, signal } from '@preact/signals'
import type { Report } from '../../check/report/report.ts'
import type { CheckInput } from '../../emulator/protocol/widgets.ts'
import type { AppView, IssueSummary } from '../../emulator/protocol/workspace.ts'
import { control, errorMessage } from '../core/control.ts'
import { workspace } from '../core/workspace.ts'
import { issueId } from './issue.ts'
import { requestAs } from './request-as.ts'

/** The newest check of an app. */
export interface AppCheck {
  readonly isRunning: boolean
  readonly report?: Report
  /** The names of the customers in the report. */
  readonly checkedAs?: string
  readonly error?: string
}

/** The checks since the page was loaded, by app ID. */
export const checks = signal<ReadonlyMap<string, AppCheck>>(new Map())

/**
 * The customers of the next check: all customers of the project, or the one of the
 * open issue if there are none or if IDs were chosen for one request.
 */
export const checkSubject = computed<{ readonly name: string; readonly input: CheckInput }>(() => {
  const { customers = [], issues = [] } = workspace.value ?? {}
  const { params } = requestAs.value
  const issue = issues.find(({ id }) => id === issueId.value)
  const isCustom = Object.keys(params).length > 0
  if (customers.length > 0 && !isCustom) {
    return { name: customers.map(({ name }) => name).join(', '), input: {} }
  }
  if (issue === undefined) return { name: 'made-up IDs', input: {} }
  const name = isCustom ? `custom IDs: ${Object.keys(params).join(', ')}` : nameCustomer(issue)
  return { name, input: { issueId: issue.id, params } }
})

function nameCustomer({ account, requester }: IssueSummary): string {
  if (account !== null) return `${account.name}, ${account.id}`
  return `${requester.name}, ${requester.email || requester.id}`
}

/** Runs the checker on an app. The last report stays visible until the new one is complete. */
export async function runCheck(app: AppView): Promise<void> {
  const { name, input } = checkSubject.peek()
  const { error: _error, ...last } = checks.peek().get(app.id) ?? { isRunning: false }
  put(app.id, { ...last, isRunning: true })
  try {
    const report = await control('POST apps/:appId/check', { appId: app.id }, input)
    put(app.id, { isRunning: false, report, checkedAs: name })
  } catch (error) {
    put(app.id, { ...last, isRunning: false, error: errorMessage(error) })
  }
}

function put(appId: string, check: AppCheck): void {
  checks.value = new Map(checks.peek()).set(appId, check)
}
