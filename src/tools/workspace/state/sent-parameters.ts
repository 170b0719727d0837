import { computed } from '@preact/signals'
import { shownWidgets } from './widgets.ts'

/** The parameters of the newest data fetch for the open issue, from its first widget. */
export const sentParameters = computed<ReadonlyMap<string, string>>(() => {
  const sent = shownWidgets.value.map(({ load }) => load?.view?.parameters ?? [])
  return new Map(sent.find(({ length }) => length > 0))
})
