/** The parts of a path: `components[2].items[0].color` → `['components', 2, 'items', 0, 'color']`. */
export function pathParts(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([part, index]) =>
    index === undefined ? part : Number(index),
  )
}
