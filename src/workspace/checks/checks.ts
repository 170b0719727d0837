import { computed, signal } from '@preact/signals'
import type { Report } from '../../check/report.ts'
import type { CheckInput } from '../../emulator/protocol/widgets.ts'
import type { AppView, IssueSummary } from '../../emulator/protocol/workspace.ts'
import { control, errorMessage } from '../core/control.ts'
import { workspace } from '../core/workspace.ts'
import { issueId } from '../issues/issue.ts'
import { chosenPreset, requestAs } from '../sidebar/request-as.ts'

/** A customer whose IDs a check can send. */
export interface CheckSubject {
  /** Such as `Northwind Traders, acc_northwind`. */
  readonly name: string
  readonly input: CheckInput
}

/** The newest check of an app. */
export interface AppCheck {
  readonly isRunning: boolean
  readonly report?: Report
  /** The name of the customer in the report. */
  readonly checkedAs?: string
  readonly error?: string
}

/** The checks since the page was loaded, by app ID. */
export const checks = signal<ReadonlyMap<string, AppCheck>>(new Map())

/** The name of the customer that the user chose; null for the first one. */
export const chosenSubject = signal<string | null>(null)

const MADE_UP: CheckSubject = { name: 'Made-up IDs', input: {} }
const MAX_SUBJECTS = 50

/** The customers to choose from: the one of the sidebar first, then those of the other issues. */
export const checkSubjects = computed<readonly CheckSubject[]>(() => {
  const issues = workspace.value?.issues ?? []
  const open = issues.find(({ id }) => id === issueId.value)
  const others = [...(open === undefined ? [] : [open]), ...issues]
  const subjects = new Map<string, CheckSubject>()
  for (const issue of others) {
    const name = nameCustomer(issue)
    if (!subjects.has(name)) subjects.set(name, { name, input: { issueId: issue.id } })
    if (subjects.size >= MAX_SUBJECTS) break
  }
  return [...(open === undefined ? [] : customSubject(open)), ...subjects.values(), MADE_UP]
})

/** The customer of the next check. */
export const checkSubject = computed<CheckSubject>(() => {
  const subjects = checkSubjects.value
  return subjects.find(({ name }) => name === chosenSubject.value) ?? subjects[0] ?? MADE_UP
})

function nameCustomer({ account, requester }: IssueSummary): string {
  if (account !== null) return `${account.name}, ${account.id}`
  return `${requester.name}, ${requester.email || requester.id}`
}

/** The IDs of "Request as". A scenario is not used: most of them send no known customer. */
function customSubject({ id }: IssueSummary): readonly CheckSubject[] {
  const { presetId, params } = requestAs.value
  const names = Object.entries(params).map(([name, value]) => `${name} ${value ?? 'not sent'}`)
  const preset = chosenPreset.value
  if (names.length === 0 && preset === undefined) return []
  const name = names.length > 0 ? `Custom IDs: ${names.join(', ')}` : `Preset: ${preset?.name}`
  return [{ name, input: { issueId: id, params, ...(presetId !== null && { preset: presetId }) } }]
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
