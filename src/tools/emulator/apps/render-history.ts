import type { ExchangeSummary } from '../protocol/exchanges.ts'
import type { WidgetView } from '../protocol/widgets.ts'

type Render = NonNullable<WidgetView['lastGood']>
type Place = Pick<WidgetView, 'appId' | 'widgetId' | 'issueId' | 'parameters'> &
  Pick<ExchangeSummary, 'sections'>

const MAX_RENDERS = 200

/** Creates an empty history of at most 200 successful renders, to show next to a failure. */
export function createRenderHistory() {
  const renders = new Map<string, Render>()
  const toKey = ({ appId, widgetId, issueId, parameters, sections }: Place) =>
    JSON.stringify([appId, widgetId, issueId, parameters, sections])
  return {
    add(place: Place, render: Render): void {
      const key = toKey(place)
      renders.delete(key)
      renders.set(key, render)
      const [oldest] = renders.keys()
      if (renders.size > MAX_RENDERS && oldest !== undefined) renders.delete(oldest)
    },
    /** Returns the last render of the same widget, issue, IDs and conditions. */
    lastRender: (place: Place): Render | null => renders.get(toKey(place)) ?? null,
    clear: () => renders.clear(),
  }
}
