import { computed } from '@preact/signals'
import { apps, workspace } from '../core/workspace.ts'
import { issueId } from '../issues/issue.ts'
import { chosenPreset, requestAs } from './request-as.ts'
import { currentLoad } from './widgets.ts'

/** The scenarios that send the IDs of the issue. */
const UNCHANGED = new Set(['as-is', 'slow-reader', 'parallel-loads'])

/** The parameters of the newest data fetch for the open issue, from its first widget. */
export const sentParameters = computed<ReadonlyMap<string, string>>(() => {
  for (const { widgets: ofApp } of apps.value) {
    for (const { id } of ofApp) {
      const view = currentLoad(id)?.view
      if (view != null && view.parameters.length > 0) return new Map(view.parameters)
    }
  }
  return apps.value.some(({ state }) => state === 'connected') ? expectParameters() : new Map()
})

/** What a request sends is known before its response arrives, so that nothing moves then. */
function expectParameters(): ReadonlyMap<string, string> {
  const issue = workspace.value?.issues.find(({ id }) => id === issueId.value)
  const { scenario, params } = requestAs.value
  if (issue === undefined || !UNCHANGED.has(scenario)) return new Map()
  const ids: Readonly<Record<string, string | null>> = {
    issue_id: issue.id,
    organization_id: workspace.value?.organization.id ?? '',
    account_id: issue.account?.id ?? '',
    requester_id: issue.requester.id,
    requester_email: issue.requester.email,
    ...chosenPreset.value?.params,
    ...params,
  }
  return new Map(Object.entries(ids).flatMap(([name, id]) => (id === null ? [] : [[name, id]])))
}
