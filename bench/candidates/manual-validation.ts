/** Validation as a careful engineer writes it for one app, without paths or messages. */
export function validateManually(payload: unknown): unknown {
  const { version, header, components } = payload as Fields
  if (!isText(version) || !isHeader(header) || !Array.isArray(components)) throw invalid()
  if (!components.every((component) => isComponent(component as Fields, true))) throw invalid()
  return payload
}

type Fields = Readonly<Record<string, unknown>>

const COLORS = new Set<unknown>(['blue', 'green', 'red', 'orange', 'gray'])
const RFC3339_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

function isComponent(component: Fields, mayBeCard: boolean): boolean {
  switch (component.type) {
    case 'text':
      return isText(component.label) && isText(component.value) && isIcon(component.icon_url)
    case 'date_time':
      return (
        isText(component.label) &&
        isText(component.value) &&
        RFC3339_PATTERN.test(component.value) &&
        isIcon(component.icon_url)
      )
    case 'badge':
      return (
        isText(component.label) && Array.isArray(component.items) && component.items.every(isItem)
      )
    case 'button':
      return isText(component.label) && component.button_type === 'link' && isLink(component.url)
    case 'link':
      return isText(component.label) && isLink(component.url)
    case 'divider':
      return true
    case 'card':
      return (
        mayBeCard &&
        (component.header === undefined || isHeader(component.header)) &&
        Array.isArray(component.components) &&
        component.components.every((child) => isComponent(child as Fields, false))
      )
    default:
      return false
  }
}

function isItem(item: Fields): boolean {
  return isText(item.value) && COLORS.has(item.color)
}

function isHeader(header: unknown): boolean {
  const { title, icon_url } = header as Fields
  return (title === undefined || isText(title)) && isIcon(icon_url)
}

function isIcon(value: unknown): boolean {
  return value === undefined || isLink(value)
}

function isLink(value: unknown): boolean {
  return isText(value) && /^https?:\/\/\S+$/.test(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function invalid(): TypeError {
  return new TypeError('The payload is not valid.')
}
