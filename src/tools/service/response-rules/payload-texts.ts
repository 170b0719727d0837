import { isJsonObject, readField } from '../endpoint/json-object.ts'
import type { JsonObject } from '../endpoint/json-object.ts'

/** A string that an agent reads. */
export interface PayloadText {
  readonly path: string
  readonly text: string
  /** The label of the text and the title of its card. */
  readonly context: string
}

/** A URL of a link, a button or an icon. */
export interface PayloadUrl {
  readonly path: string
  readonly url: string
}

/** The components of the payload or of a card. */
export interface PayloadContainer {
  /** The path of the array. */
  readonly path: string
  readonly components: ReadonlyArray<{ readonly path: string; readonly component: JsonObject }>
}

/** The parts of a payload that the advisory rules check. */
export interface PayloadTexts {
  readonly texts: readonly PayloadText[]
  readonly urls: readonly PayloadUrl[]
  readonly containers: readonly PayloadContainer[]
}

/** Collects the parts of a payload, valid or not, down to the contract's nesting depth. */
export function collectTexts(payload: JsonObject): PayloadTexts {
  const texts: PayloadText[] = []
  const urls: PayloadUrl[] = []
  const containers: PayloadContainer[] = []

  const addText = (path: string, text: unknown, context: string) => {
    if (typeof text === 'string') texts.push({ path, text, context })
  }
  const addUrl = (path: string, owner: JsonObject, field: string) => {
    const url = readField(owner, field)
    if (typeof url === 'string') urls.push({ path: `${path}${field}`, url })
  }
  const addHeader = (path: string, owner: JsonObject): string => {
    const header = readField(owner, 'header')
    if (!isJsonObject(header)) return ''
    const title = readField(header, 'title')
    addText(`${path}header.title`, title, '')
    addUrl(`${path}header.`, header, 'icon_url')
    return typeof title === 'string' ? title : ''
  }
  const addComponents = (path: string, list: unknown, title: string, depth: number) => {
    if (!Array.isArray(list)) return
    const components = list.flatMap((component: unknown, index) =>
      isJsonObject(component) ? [{ path: `${path}[${index}]`, component }] : [],
    )
    containers.push({ path, components })
    for (const { path: place, component } of components) {
      addComponent(place, component, title, depth)
    }
  }
  const addComponent = (path: string, component: JsonObject, title: string, depth: number) => {
    if (readField(component, 'type') === 'card' && depth === 0) {
      const cardTitle = addHeader(`${path}.`, component)
      addComponents(`${path}.components`, readField(component, 'components'), cardTitle, 1)
      return
    }
    const label = readField(component, 'label')
    const context = `${title} ${typeof label === 'string' ? label : ''}`
    addText(`${path}.label`, label, context)
    addText(`${path}.value`, readField(component, 'value'), context)
    const items = readField(component, 'items')
    if (Array.isArray(items)) {
      items.forEach((item: unknown, index) => {
        if (isJsonObject(item)) {
          addText(`${path}.items[${index}].value`, readField(item, 'value'), context)
        }
      })
    }
    addUrl(`${path}.`, component, 'url')
    addUrl(`${path}.`, component, 'icon_url')
  }

  addComponents('components', readField(payload, 'components'), addHeader('', payload), 0)
  return { texts, urls, containers }
}
