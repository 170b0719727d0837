import type { Component, Payload } from '../../contract/generated/types.ts'

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
    if (JSON.stringify(component) === JSON.stringify(other)) return []
    return component.type === 'card' && other?.type === 'card'
      ? compare(component.components, other.components, `${path}.`)
      : [path]
  })
}
