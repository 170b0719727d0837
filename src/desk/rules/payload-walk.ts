/** A JSON object whose fields nothing is known about. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A place in a payload that rules look at. */
export type PayloadNode =
  | { readonly kind: 'payload'; readonly path: ''; readonly value: JsonObject }
  | {
      readonly kind: 'header'
      readonly path: string
      readonly value: JsonObject
      readonly of: 'payload' | 'card'
    }
  | {
      readonly kind: 'component'
      readonly path: string
      readonly value: unknown
      readonly inCard: boolean
    }
  | { readonly kind: 'badge_item'; readonly path: string; readonly value: unknown }

/**
 * Visits every place of a payload that the contract describes, whatever is
 * there instead. It goes as deep as the contract does and no deeper, so a
 * payload of any depth costs no stack.
 */
export function* payloadNodes(payload: JsonObject): Generator<PayloadNode> {
  yield { kind: 'payload', path: '', value: payload }
  const header = field(payload, 'header')
  if (isJsonObject(header)) yield { kind: 'header', path: 'header', value: header, of: 'payload' }
  yield* components(field(payload, 'components'), 'components', false)
}

function* components(list: unknown, path: string, inCard: boolean): Generator<PayloadNode> {
  if (!Array.isArray(list)) return
  for (const [index, value] of list.entries()) {
    const at = `${path}[${index}]`
    yield { kind: 'component', path: at, value, inCard }
    if (!isJsonObject(value)) continue
    const type = field(value, 'type')
    if (type === 'badge') yield* badgeItems(field(value, 'items'), `${at}.items`)
    if (type !== 'card' || inCard) continue
    const header = field(value, 'header')
    if (isJsonObject(header)) {
      yield { kind: 'header', path: `${at}.header`, value: header, of: 'card' }
    }
    yield* components(field(value, 'components'), `${at}.components`, true)
  }
}

function* badgeItems(list: unknown, path: string): Generator<PayloadNode> {
  if (!Array.isArray(list)) return
  for (const [index, value] of list.entries()) {
    yield { kind: 'badge_item', path: `${path}[${index}]`, value }
  }
}

/** Tells an object from an array, `null` and everything else. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An own field, so that `constructor` and the like are never found. */
export function field(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
