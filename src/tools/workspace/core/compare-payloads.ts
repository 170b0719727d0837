import type { Component, Payload } from '../../../runtime/contract/generated/types.ts'
import { normalizeActionLinks } from '../../internal/action-link.ts'

/**
 * Returns the content that agents see in a widget, without the parts that differ
 * in every response: the trace ID on a failure card, and the links of actions.
 */
export function comparablePayload(
  payload: Payload | null,
  traceId: string | null | undefined,
): Payload | null {
  const text = JSON.stringify(payload, (_key, value: unknown) =>
    typeof value === 'string' && value === traceId ? '' : value,
  )
  return JSON.parse(normalizeActionLinks(text)) as Payload | null
}

/** Returns whether agents see the same content in two comparable payloads. */
export function isSameContent(one: object | null | undefined, other: typeof one): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The differences between two payloads. */
export interface Differences {
  /**
   * The paths of the components that only this payload has, such as
   * `components[0].components[2]`.
   */
  readonly changed: readonly string[]
  /** The names of the components that only the other payload has. */
  readonly missing: readonly string[]
}

/** Compares two comparable payloads. Components with the same type and name belong together. */
export function comparePayloads(payload: Payload, base: Payload): Differences {
  return compare(payload.components, base.components, '')
}

function compare(
  list: readonly Component[],
  base: readonly Component[],
  prefix: string,
): Differences {
  const left = [...base]
  const found = list.map((component, index): Differences => {
    const path = `${prefix}components[${index}]`
    const at = left.findIndex((other) => nameOf(other) === nameOf(component))
    const [other] = at === -1 ? [] : left.splice(at, 1)
    if (isSameContent(component, other)) return { changed: [], missing: [] }
    return component.type === 'card' && other?.type === 'card'
      ? compare(component.components, other.components, `${path}.`)
      : { changed: [path], missing: [] }
  })
  const missing = left.map(shownName).filter((name) => name !== '')
  return {
    changed: found.flatMap(({ changed }) => changed),
    missing: [...found.flatMap((each) => each.missing), ...missing],
  }
}

function nameOf(component: Component): string {
  return `${component.type}\n${shownName(component)}`
}

function shownName(component: Component): string {
  if (component.type === 'card') return component.header?.title ?? ''
  return component.type === 'divider' ? '' : component.label
}
