import { computed } from '@preact/signals'
import { apps } from '../core/workspace.ts'
import { currentLoad } from './widgets.ts'

/** The parameters of the newest data fetch for the open issue, from its first widget. */
export const sentParameters = computed<ReadonlyMap<string, string>>(() => {
  for (const { widgets: ofApp } of apps.value) {
    for (const { id } of ofApp) {
      const view = currentLoad(id)?.view
      if (view != null && view.parameters.length > 0) return new Map(view.parameters)
    }
  }
  return new Map()
})
