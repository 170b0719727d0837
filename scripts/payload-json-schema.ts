import * as z from 'zod'
import { payloadSchema } from '../src/runtime/contract/payload.ts'
import { exportedSchemas } from './contract/payload-model.ts'

/** Returns the JSON Schema of the payload, with a definition for each of the contract's tables. */
export function createPayloadJsonSchema(): Record<string, unknown> {
  // A separate registry, because IDs could conflict with a user's in zod's global one.
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of exportedSchemas()) {
    if (schema !== payloadSchema) registry.add(schema, { id })
  }
  const {
    $schema,
    description: _,
    ...schema
  } = z.toJSONSchema(payloadSchema, {
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
      'What a custom app endpoint returns for a data fetch. Unknown fields and URI schemes other than http, https, mailto and tel are invalid, which the contract does not require: see the assumptions A2 and A9 of Sidecard.',
    ...schema,
  }
}
