import type { Component, Payload } from '../../contract/generated/types.ts'
import { normalizeActionLinks } from '../../internal/action-link.ts'

/** Returns whether agents see the same. The links of actions differ in every response. */
export function isSameContent(one: object | undefined, other: object | undefined): boolean {
  return toComparable(one) === toComparable(other)
}

function toComparable(value: object | undefined): string {
  return value === undefined ? '' : normalizeActionLinks(JSON.stringify(value))
}

/**
 * Returns the paths of the components that differ from those at the same place
 * in another payload, such as `components[0].components[2]`.
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
