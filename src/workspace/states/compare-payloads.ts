import type { Component, Payload } from '../../contract/generated/types.ts'
import type { WidgetView } from '../../emulator/protocol/widgets.ts'
import { normalizeActionLinks } from '../../internal/action-link.ts'

/**
 * Returns what agents see in a widget, without what differs in every response: the
 * trace ID on a failure card, and the links of actions.
 */
export function comparablePayload({
  payload,
  exchange,
}: Pick<WidgetView, 'payload' | 'exchange'>): Payload | null {
  const traceId = exchange?.traceId ?? null
  const text = JSON.stringify(payload, (_key, value: unknown) =>
    typeof value === 'string' && value === traceId ? '' : value,
  )
  return JSON.parse(normalizeActionLinks(text)) as Payload | null
}

/** Returns whether agents see the same in two comparable payloads. */
export function isSameContent(one: object | undefined, other: object | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * Returns the paths of the components that differ from those at the same place
 * in another comparable payload, such as `components[0].components[2]`.
 */
export function differingPaths(payload: Payload, base: Payload): readonly string[] {
  return compare(payload.components, base.components, '')
}

function compare(
  list: readonly Component[],
  base: readonly Component[],
  prefix: string,
): readonly string[] {
  return list.flatMap((component, index) => {
    const path = `${prefix}components[${index}]`
    const other = base[index]
    if (isSameContent(component, other)) return []
    return component.type === 'card' && other?.type === 'card'
      ? compare(component.components, other.components, `${path}.`)
      : [path]
  })
}
