import { computed } from '@preact/signals'
import { issueId } from '../issues/issue.ts'
import { widgets } from './widgets.ts'
import { apps } from '../core/workspace.ts'

/** The parameters of the newest data fetch for the open issue, from its first widget. */
export const sentParameters = computed<ReadonlyMap<string, string>>(() => {
  for (const { widgets: ofApp } of apps.value) {
    for (const { id } of ofApp) {
      const load = widgets.value.get(id)
      const view = load?.issueId === issueId.value ? load.view : null
      if (view?.parameters !== undefined && view.parameters.length > 0) {
        return new Map(view.parameters)
      }
    }
  }
  return new Map()
})
