import { hoverTooltip } from '@codemirror/view'
import { nodeAt, readString, stepsTo } from './json-tree.ts'
import { describeKind, resolve, schemasAt } from './schema.ts'

/** Describes the property or the component type under the pointer, from the JSON Schema. */
export const hoverJson = hoverTooltip(({ state }, position, side) => {
  const node = nodeAt(state, position, side === 1 ? 1 : -1)
  const steps = stepsTo(state, node)
  const last = steps.at(-1)
  if (last === undefined || typeof last.key !== 'string') return null
  const owners = schemasAt(steps.slice(0, -1)).filter(({ properties }) =>
    last.key === 'type' && node.name === 'String'
      ? properties?.['type']?.const === readString(state, node)
      : properties?.[last.key] !== undefined,
  )
  const owner = owners.find(({ properties }) => properties?.['type']?.const === last.parentType)
  const chosen = owner ?? owners[0]
  const property = chosen?.properties?.[last.key]
  if (chosen === undefined || property === undefined) return null
  const isRequired = chosen.required?.includes(last.key) === true
  return {
    pos: node.from,
    end: node.to,
    above: true,
    create: () => ({
      dom: tooltip(
        `${last.key}: ${describeKind(property)}`,
        isRequired ? 'Required' : 'Optional',
        (last.key === 'type' ? undefined : resolve(property).description) ?? chosen.description,
      ),
    }),
  }
})

function tooltip(signature: string, presence: string, description: string | undefined) {
  const dom = document.createElement('div')
  dom.className = 'cm-schema'
  const code = document.createElement('code')
  code.textContent = signature
  const text = document.createElement('p')
  text.textContent = description === undefined ? `${presence}.` : `${presence}. ${description}`
  dom.append(code, text)
  return dom
}
