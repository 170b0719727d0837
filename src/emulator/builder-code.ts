import type { Component, Header, Payload } from '../contract/payload.ts'
import { assertNever } from '../internal/assert-never.ts'

/**
 * Returns source code that builds a payload with the builders of `sidecard`.
 * There are two differences from the original payload: a header without a title
 * gets an empty one, because builders require it (A1), and another version
 * becomes 1.0.0 (A3).
 */
export function builderCode({ header, components }: Payload): string {
  const used = new Set<string>(['payload'])
  const children = components.map((component) => componentCode(component, 2, used))
  const body = `payload({\n  header: ${headerCode(header)},\n  components: ${list(children, 1)},\n})`
  return `import { ${[...used].sort().join(', ')} } from 'sidecard'\n\n${body}\n`
}

const BUILDERS = {
  card: 'card',
  text: 'text',
  date_time: 'dateTime',
  badge: 'badge',
  button: 'button',
  link: 'link',
  divider: 'divider',
} as const satisfies Record<Component['type'], string>

const WIDTH = 90

function componentCode(component: Component, depth: number, used: Set<string>): string {
  const builder = BUILDERS[component.type]
  used.add(builder)
  switch (component.type) {
    case 'divider':
      return 'divider()'
    case 'card': {
      const children = component.components.map((child) => componentCode(child, depth + 2, used))
      const header =
        component.header === undefined ? [] : [`header: ${headerCode(component.header)}`]
      return call(builder, [...header, `components: ${list(children, depth + 1)}`], depth)
    }
    case 'badge': {
      const items = component.items.map(
        ({ value, color }) => `{ value: ${literal(value)}, color: ${literal(color)} }`,
      )
      return call(
        builder,
        [field('label', component.label), `items: ${list(items, depth + 1)}`],
        depth,
      )
    }
    case 'button':
    case 'link':
      return call(builder, [field('label', component.label), field('url', component.url)], depth)
    case 'text':
    case 'date_time': {
      const { label, value, icon_url } = component
      const icon = icon_url === undefined ? [] : [field('icon_url', icon_url)]
      return call(builder, [field('label', label), field('value', value), ...icon], depth)
    }
    default:
      return assertNever(component)
  }
}

function headerCode({ title = '', icon_url }: Header): string {
  const icon = icon_url === undefined ? '' : `, ${field('icon_url', icon_url)}`
  return `{ ${field('title', title)}${icon} }`
}

function call(builder: string, fields: readonly string[], depth: number): string {
  const line = `${builder}({ ${fields.join(', ')} })`
  if (fits(line, depth)) return line
  const inner = indent(depth + 1)
  return `${builder}({\n${fields.map((each) => `${inner}${each},\n`).join('')}${indent(depth)}})`
}

function list(items: readonly string[], depth: number): string {
  const line = `[${items.join(', ')}]`
  if (items.length < 2 && fits(line, depth)) return line
  const inner = indent(depth + 1)
  return `[\n${items.map((each) => `${inner}${each},\n`).join('')}${indent(depth)}]`
}

function fits(line: string, depth: number): boolean {
  return !line.includes('\n') && line.length + depth * 2 <= WIDTH
}

function field(name: string, value: string): string {
  return `${name}: ${literal(value)}`
}

/** Quotes a string, and escapes characters that an editor would interpret or hide. */
function literal(value: string): string {
  const double = JSON.stringify(value).replaceAll(
    HIDDEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  if (value.includes("'")) return double
  return `'${double.slice(1, -1).replaceAll('\\"', '"')}'`
}

/** Line separators, and characters that change the direction of text or have no width. */
const HIDDEN = /[\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g

function indent(depth: number): string {
  return '  '.repeat(depth)
}
