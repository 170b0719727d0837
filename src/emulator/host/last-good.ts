import type { WidgetView } from '../protocol.ts'

type Render = NonNullable<WidgetView['lastGood']>
type Place = Pick<WidgetView, 'appId' | 'widgetId' | 'issueId' | 'scenario'>

/** The newest render of each widget, issue and scenario, to show beside an error. */
export interface LastGoodRenders {
  keep(place: Place, render: Render): void
  of(place: Place): Render | null
  forget(appId: string): void
}

const KEPT = 200

/** Makes an empty memory; the oldest of more than 200 renders go. */
export function lastGoodRenders(): LastGoodRenders {
  const renders = new Map<string, Render>()
  const keyOf = ({ appId, widgetId, issueId, scenario }: Place) =>
    JSON.stringify([appId, widgetId, issueId, scenario])
  return {
    keep(place, render) {
      const key = keyOf(place)
      renders.delete(key)
      renders.set(key, render)
      const [oldest] = renders.keys()
      if (renders.size > KEPT && oldest !== undefined) renders.delete(oldest)
    },
    of: (place) => renders.get(keyOf(place)) ?? null,
    forget(appId) {
      for (const key of renders.keys()) {
        if ((JSON.parse(key) as string[])[0] === appId) renders.delete(key)
      }
    },
  }
}
