/** Checks as a careful person writes them for one app, without paths or reasons. */
export function handChecked(payload: unknown): unknown {
  const { version, header, components } = payload as Fields
  if (!isText(version) || !isHeader(header) || !Array.isArray(components)) throw refusal()
  if (!components.every((one) => isComponent(one as Fields, true))) throw refusal()
  return payload
}

type Fields = Readonly<Record<string, unknown>>

const COLORS = new Set<unknown>(['blue', 'green', 'red', 'orange', 'gray'])
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

function isComponent(one: Fields, mayBeCard: boolean): boolean {
  switch (one.type) {
    case 'text':
      return isText(one.label) && isText(one.value) && isIcon(one.icon_url)
    case 'date_time':
      return (
        isText(one.label) && isText(one.value) && MOMENT.test(one.value) && isIcon(one.icon_url)
      )
    case 'badge':
      return isText(one.label) && Array.isArray(one.items) && one.items.every(isItem)
    case 'button':
      return isText(one.label) && one.button_type === 'link' && isLink(one.url)
    case 'link':
      return isText(one.label) && isLink(one.url)
    case 'divider':
      return true
    case 'card':
      return (
        mayBeCard &&
        (one.header === undefined || isHeader(one.header)) &&
        Array.isArray(one.components) &&
        one.components.every((child) => isComponent(child as Fields, false))
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

function refusal(): TypeError {
  return new TypeError('The payload is not valid.')
}
