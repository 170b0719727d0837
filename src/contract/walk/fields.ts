/** The names of all fields of the contract's tables. */
const NAMES = [
  'version',
  'type',
  'header',
  'components',
  'label',
  'button_type',
  'value',
  'items',
  'color',
  'url',
  'title',
  'icon_url',
] as const

/** One bit for each name, in the same order: a table of the contract is their sum. */
export const VERSION = 1 << 0
export const TYPE = 1 << 1
export const HEADER = 1 << 2
export const COMPONENTS = 1 << 3
export const LABEL = 1 << 4
export const BUTTON_TYPE = 1 << 5
export const VALUE = 1 << 6
export const ITEMS = 1 << 7
export const COLOR = 1 << 8
export const URL = 1 << 9
export const TITLE = 1 << 10
export const ICON_URL = 1 << 11
/** For all the names that no table has. */
const STRANGER = 1 << 12

// V8 knows this one in a `for … in` and leaves it out; it does not know `Object.hasOwn`.
// oxlint-disable-next-line typescript/unbound-method -- called with its object
const { hasOwnProperty } = Object.prototype

/**
 * The fields of one object, before they are judged. Only own enumerable ones
 * count, and each is read exactly once, so that what was judged is what is
 * written, whatever getters and proxies answer the second time. A `for … in`
 * costs a third of what `Object.keys` and reading by name do.
 */
export class Fields {
  /** The bits of the names that the object has. */
  seen = 0
  // Declared only: the first reading makes them.
  declare version: unknown
  declare type: unknown
  declare header: unknown
  declare components: unknown
  declare label: unknown
  declare button_type: unknown
  declare value: unknown
  declare items: unknown
  declare color: unknown
  declare url: unknown
  declare title: unknown
  declare icon_url: unknown

  /** Reads another object; what was read before is forgotten. */
  read(object: object): void {
    this.version = this.type = this.header = this.components = this.label = undefined
    this.button_type = this.value = this.items = this.color = undefined
    this.url = this.title = this.icon_url = undefined
    let seen = 0
    for (const key in object) {
      if (!hasOwnProperty.call(object, key)) continue
      const value: unknown = object[key as never]
      switch (key) {
        case 'type':
          this.type = value
          seen |= TYPE
          break
        case 'label':
          this.label = value
          seen |= LABEL
          break
        case 'value':
          this.value = value
          seen |= VALUE
          break
        case 'url':
          this.url = value
          seen |= URL
          break
        case 'items':
          this.items = value
          seen |= ITEMS
          break
        case 'color':
          this.color = value
          seen |= COLOR
          break
        case 'icon_url':
          this.icon_url = value
          seen |= ICON_URL
          break
        case 'title':
          this.title = value
          seen |= TITLE
          break
        case 'header':
          this.header = value
          seen |= HEADER
          break
        case 'components':
          this.components = value
          seen |= COMPONENTS
          break
        case 'button_type':
          this.button_type = value
          seen |= BUTTON_TYPE
          break
        case 'version':
          this.version = value
          seen |= VERSION
          break
        default:
          seen |= STRANGER
      }
    }
    this.seen = seen
  }
}

/** The names of a table. */
export function namesOf(bits: number): string[] {
  return NAMES.filter((_, index) => (bits & (1 << index)) !== 0)
}
