import { isThenable, readProperty } from './hostile-values.ts'

const MAX_VALUES = 10_000
const MAX_DEPTH = 32

/**
 * Handles the rejections of all promises in an unused value, because an unhandled
 * rejection ends a Node process. It visits the first 10,000 values, down to 32
 * levels. It never throws.
 */
export function consumeRejections(root: unknown): void {
  // The array grows while it is visited, one level at a time, so that the topmost values are
  // visited first.
  const values: Array<readonly [value: unknown, depth: number]> = [[root, 0]]
  for (const [value, depth] of values) {
    if (isThenable(value)) void Promise.resolve(value).then(ignore, ignore)
    else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
      pushValues(value, depth + 1, values)
    }
  }
}

function pushValues(
  object: object,
  depth: number,
  values: Array<readonly [value: unknown, depth: number]>,
): void {
  if (values.length >= MAX_VALUES) return
  // `for … in` can stop early. Object.values() would read two million keys, or every byte of a
  // Buffer.
  try {
    if (ArrayBuffer.isView(object)) return
    for (const key in object) {
      if (values.length >= MAX_VALUES) return
      values.push([readProperty(object, key), depth])
    }
  } catch {
    // A proxy that throws contains no readable promise.
  }
}

function ignore(): void {
  // The value is not used.
}
