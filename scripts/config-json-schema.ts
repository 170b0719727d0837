import * as z from 'zod'
import { projectSchema } from '../src/tools/project/schema.ts'

/** Returns the JSON Schema of `sidecard.json`, for editors. */
export function createConfigJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(projectSchema, { io: 'input' })
  return { $schema, $id: 'urn:sidecard:schema:config', title: 'sidecard.json', ...schema }
}
