import { describe, expect, test } from 'vitest'
import { type Payload } from 'sidecard/schema'
import {
  CARD_CHILD_TYPES,
  COMPONENT_TYPES,
  PAYLOAD_OBJECTS,
  type PayloadObject,
} from '../../../src/runtime/contract/generated/vocabulary.ts'
import type { FieldSpec } from '../../../src/runtime/contract/field-spec.ts'
import { renderHtml, renderPayload } from '../../../src/runtime/render/index.ts'
import { TERMINAL_FIELDS } from '../../../src/runtime/render/component-lines.ts'
import { HTML_FIELDS } from '../../../src/runtime/render/render-html.ts'

type Table = Readonly<Record<string, FieldSpec>>

/** Returns an object of the payload in which each text names its object and field. */
function marked(name: string): unknown {
  const table: Table = PAYLOAD_OBJECTS[name as PayloadObject]
  return Object.fromEntries(
    Object.entries(table).map(([field, spec]) => [field, markedValue(`${name}-${field}`, spec)]),
  )
}

function markedValue(mark: string, { kind, values, object, items }: FieldSpec): unknown {
  switch (kind) {
    case 'type':
      return mark.replace('-type', '')
    case 'enum':
      return values?.[0]
    case 'string':
      return mark
    case 'number':
      return 42
    case 'boolean':
      return true
    case 'link':
    case 'icon':
      return 'https://example.com/'
    case 'date_time':
      return '2026-11-21T09:30:00Z'
    case 'words':
      return [values?.[0] ?? mark]
    case 'object':
      return marked(object ?? '')
    case 'array':
      if (items === 'component') return COMPONENT_TYPES.map(marked)
      return items === 'card_child' ? CARD_CHILD_TYPES.map(marked) : [marked(items ?? '')]
    default:
      return kind satisfies never
  }
}

const payload = marked('payload') as Payload

describe.each([
  ['the terminal', TERMINAL_FIELDS, renderPayload(payload, { width: 100 }).text],
  ['the page', HTML_FIELDS, renderHtml(payload)],
])('%s', (_, tables, text) => {
  const fields = Object.entries<Table>(PAYLOAD_OBJECTS).flatMap(([name, table]) =>
    Object.entries(table).flatMap(([field, { kind }]) =>
      kind === 'string' ? [[name, field] as const] : [],
    ),
  )
  test.each(fields)(
    'shows the field of %s: %s, or leaves it out, as its table says',
    (name, field) => {
      const shown: Readonly<Record<string, unknown>> = tables[name as PayloadObject]
      expect(text.includes(`${name}-${field}`)).toBe(shown[field] !== false)
    },
  )
})
