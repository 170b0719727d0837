import { type Field, pascalCase } from './payload-model.ts'

/**
 * Returns the statements that return an object with the fields in the order of its
 * table, without absent ones.
 *
 * @param value returns the expression of a field
 */
export function returnObject(
  owner: string,
  fields: readonly Field[],
  value: (field: Field) => string,
): string[] {
  const type = `types.${pascalCase(owner)}`
  const property = (field: Field) =>
    field.name === value(field) ? field.name : `${field.name}: ${value(field)}`
  const literal = (own: readonly Field[]) => `{ ${own.map(property).join(', ')} }`
  const leadingCount = fields.findIndex(({ required }) => !required)
  if (leadingCount === -1) return [`return ${literal(fields)}`]
  const leading = fields.slice(0, leadingCount)
  const others = fields.slice(leadingCount)
  if (others.length === 1) {
    return [`return ${others[0]!.name} === undefined ? ${literal(leading)} : ${literal(fields)}`]
  }
  const isPartial = others.some(({ required }) => required)
  return [
    `const built: ${isPartial ? `Partial<${type}>` : type} = ${literal(leading)}`,
    ...others.map((field) => {
      const assignment = `built.${field.name} = ${value(field)}`
      return field.required ? assignment : `if (${field.name} !== undefined) ${assignment}`
    }),
    `return built${isPartial ? ` as ${type}` : ''}`,
  ]
}
