/**
 * Parses a path into segments: `components[2].items[0].color` → `['components',
 * 2, 'items', 0, 'color']`.
 */
export function parsePath(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|[^.[\]]+/g)].map(
    ([segment, index, quoted]) =>
      index !== undefined ? Number(index) : quoted !== undefined ? unquote(quoted) : segment,
  )
}

/** Formats segments as a path: `['components', 2, 'label']` → `components[2].label`. */
export function formatPath(segments: readonly (string | number)[]): string {
  return segments
    .map((segment, index) =>
      typeof segment === 'number' ? `[${segment}]` : index === 0 ? segment : `.${segment}`,
    )
    .join('')
}

/** Returns the path of the component that contains a path, or `undefined` if there is none. */
export function componentPath(path: string): string | undefined {
  return /^components\[\d+\](?:\.components\[\d+\])?/.exec(path)?.[0]
}

function unquote(quoted: string): string {
  try {
    return String(JSON.parse(`"${quoted}"`))
  } catch {
    return quoted
  }
}
