import * as z from 'zod'
import * as contract from '../src/contract/payload.ts'

const DEFINITIONS: Readonly<Record<string, readonly [z.ZodType, string]>> = {
  header: [contract.headerSchema, 'The title and icon of the widget or of a card.'],
  component: [contract.componentSchema, 'Every component; `type` selects its shape.'],
  card_child: [contract.cardChildSchema, 'What a card may hold: every component but a card.'],
  card: [contract.cardSchema, 'Groups related data.'],
  text: [contract.textSchema, 'A label with a value, which may have several lines.'],
  date_time: [contract.dateTimeSchema, 'A label with an RFC 3339 date-time.'],
  badge: [contract.badgeSchema, 'A label with any number of coloured items.'],
  badge_item: [contract.badgeItemSchema, 'One coloured item of a badge.'],
  button: [contract.buttonSchema, 'A button that opens a link.'],
  link: [contract.linkSchema, 'A labelled link.'],
  divider: [contract.dividerSchema, 'A line between components; it has no other field.'],
}

/** The JSON Schema of the payload, with a definition for each of the contract's tables. */
export function payloadJsonSchema(): Record<string, unknown> {
  // A registry of our own: ids in zod's global one would clash with a user's.
  const registry = z.registry<{ id: string; description: string }>()
  for (const [id, [schema, description]] of Object.entries(DEFINITIONS)) {
    registry.add(schema, { id, description })
  }
  const { $schema, ...schema } = z.toJSONSchema(contract.payloadSchema, {
    target: 'draft-2020-12',
    metadata: registry,
    override({ zodSchema, jsonSchema }) {
      Object.assign(jsonSchema, z.globalRegistry.get(zodSchema as never))
    },
  })
  return {
    $schema,
    $id: 'urn:sidecard:schema:1.0.0',
    title: 'Custom app data payload, schema 1.0.0',
    description:
      'What a custom app endpoint answers to fetch_data. Unknown fields and URI schemes other than http and https are refused, which the contract does not ask for: see the assumptions A2 and A9 of Sidecard.',
    ...schema,
  }
}
