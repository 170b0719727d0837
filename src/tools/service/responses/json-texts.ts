import { escapeForDisplay } from '../../internal/escape-for-display.ts'

/** A string or a number of a JSON value, or the name of a field. */
export interface JsonText {
  readonly text: string
  /** The path, such as `components[0].value`. */
  readonly path: string
  /** The name of the field that contains it. */
  readonly field: string
  /** The `label` of the nearest object that has one. */
  readonly label: string
  readonly isName: boolean
}

/** The maximum number of values that are read. */
const MAX_VALUES = 200_000

/** Lists the texts of a JSON value, level by level. */
export function* listTexts(root: unknown): Generator<JsonText> {
  const queue = [{ value: root, path: '', field: '', label: '' }]
  for (let index = 0; index < queue.length && index < MAX_VALUES; index += 1) {
    const { value, path, field, label } = queue[index]!
    if (typeof value === 'string' || typeof value === 'number') {
      yield { text: String(value), path, field, label, isName: false }
    } else if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) {
        queue.push({ value: item, path: `${path}[${at}]`, field, label })
      }
    } else if (typeof value === 'object' && value !== null) {
      const own: unknown = Object.hasOwn(value, 'label') ? Reflect.get(value, 'label') : undefined
      const nearest = typeof own === 'string' ? own : label
      for (const [name, item] of Object.entries(value)) {
        const shown = escapeForDisplay(name, 2_000)
        const next = path === '' ? shown : `${path}.${shown}`
        yield { text: name, path: next, field: name, label: nearest, isName: true }
        queue.push({ value: item, path: next, field: name, label: nearest })
      }
    }
  }
}
