import { hoverTooltip } from '@codemirror/view'
import { findNodeAtOffset, getNodePath } from 'jsonc-parser'
import { parseText, typeAt } from './json-text.ts'
import { describeKind, resolve, schemasAt } from './schema.ts'

/** Describes the property or the component type under the pointer, from the JSON Schema. */
export const hoverJson = hoverTooltip(({ state }, position, side) => {
  const root = parseText(state.doc.toString())
  const node = root && findNodeAtOffset(root, position + Math.min(side, 0))
  const path = node === undefined ? [] : getNodePath(node)
  const key = path.at(-1)
  if (node === undefined || typeof key !== 'string') return null
  const owner = path.slice(0, -1)
  const owners = schemasAt(root, owner).filter(({ properties }) => properties?.[key] !== undefined)
  const type = typeAt(root, owner)
  const chosen = owners.find(({ properties }) => properties?.['type']?.const === type) ?? owners[0]
  const property = chosen?.properties?.[key]
  if (chosen === undefined || property === undefined) return null
  const presence = chosen.required?.includes(key) === true ? 'Required.' : 'Optional.'
  const description = (key === 'type' ? null : resolve(property).description) ?? chosen.description
  return {
    pos: node.offset,
    end: node.offset + node.length,
    above: true,
    create() {
      const dom = document.createElement('div')
      dom.className = 'cm-schema'
      dom.append(document.createElement('code'), document.createElement('p'))
      const [code, text] = dom.children
      code?.append(`${key}: ${describeKind(property)}`)
      text?.append([presence, description].filter(Boolean).join(' '))
      return { dom }
    },
  }
})
