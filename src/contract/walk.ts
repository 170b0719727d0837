import * as explain from './explain.ts'
import type { PayloadIssue } from './issues.ts'
import type { Component } from './payload.ts'
import { writeHeader } from './walk/header.ts'
import { writeBadge, writeLabelled, writeLinked } from './walk/leaves.ts'
import { COMPONENTS, HEADER, TYPE, VERSION } from './walk/fields.ts'
import { isObject, refuseOthers, reportNo } from './walk/objects.ts'
import { Walk, type WalkOptions } from './walk/state.ts'
import { reportNoString, stringText } from './walk/values.ts'

/**
 * The one walk that judges a payload and writes its JSON in the same pass.
 *
 * It stands on every request, so it is written by hand: the zod schemas of
 * `payload.ts` are the source of the types, and a property test shows that the
 * two always agree.
 */

/** What a walk came to: the JSON text, or what is wrong. */
export type Encoded =
  | { readonly ok: true; readonly json: string; readonly componentCount: number }
  | { readonly ok: false; readonly issues: PayloadIssue[] }

const PAYLOAD_FIELDS = VERSION | HEADER | COMPONENTS
const CARD_FIELDS = TYPE | HEADER | COMPONENTS

/** The seven values of `type`, in the contract's order. */
export const COMPONENT_TYPES: readonly Component['type'][] = [
  'card',
  'text',
  'date_time',
  'badge',
  'button',
  'link',
  'divider',
]

const A_TYPE: explain.Wanted = {
  what: `one of ${explain.orList(COMPONENT_TYPES)}`,
  notNull: 'a component needs one',
}

const UNREADABLE = 'could not be read: a getter or a proxy threw, or it is too long'

/**
 * Judges a payload and writes its JSON in one pass. Never throws, whatever it
 * is given; stops at 20 issues.
 *
 * @internal
 */
export function encodePayload(value: unknown, options?: WalkOptions): Encoded {
  return encode(options, (walk) => writePayload(walk, value))
}

/**
 * Judges components and writes them behind a head that ends where they begin;
 * otherwise as {@link encodePayload}.
 *
 * @internal
 */
export function encodeComponents(
  head: string,
  components: readonly unknown[],
  options?: WalkOptions,
): Encoded {
  return encode(options, (walk) => `${head}${writeComponents(walk, components, false)}]}`)
}

function encode(options: WalkOptions | undefined, write: (walk: Walk) => string): Encoded {
  const walk = new Walk(options)
  let json = ''
  try {
    json = write(walk)
  } catch {
    walk.report('unreadable', undefined, UNREADABLE)
  }
  return walk.issues.length === 0
    ? { ok: true, json, componentCount: walk.componentCount }
    : { ok: false, issues: walk.issues }
}

/**
 * What is wrong with one component on its own, at the top level or in a card;
 * paths start at the component. Never throws.
 *
 * @internal
 */
export function componentIssues(
  value: unknown,
  place: 'payload' | 'card',
  options?: WalkOptions,
): PayloadIssue[] {
  const walk = new Walk(options)
  writeComponent(walk, value, place === 'card')
  return walk.issues
}

/**
 * What is wrong with a header on its own; paths start with `header`. Never throws.
 *
 * @internal
 */
export function headerIssues(value: unknown, options?: WalkOptions): PayloadIssue[] {
  const encoded = encode(options, (walk) => writeHeader(walk, value))
  return encoded.ok ? [] : encoded.issues
}

function writePayload(walk: Walk, payload: unknown): string {
  if (!isObject(payload)) return reportNo(walk, 'an object', payload)
  walk.fields.read(payload)
  const { seen, version, header, components } = walk.fields
  // Any version is a string to us (A3): the checker has an opinion, the walk has none.
  const versionText = stringText(walk, version, 'version')
  const headerJson = writeHeader(walk, header)
  const componentsJson = Array.isArray(components)
    ? writeComponents(walk, components, false)
    : reportNo(walk, 'an array', components, 'components')
  refuseOthers(walk, 'the payload', PAYLOAD_FIELDS, seen, payload)
  return `{"version":"${versionText}","header":${headerJson},"components":[${componentsJson}]}`
}

function writeComponents(walk: Walk, components: readonly unknown[], inCard: boolean): string {
  const length = components.length
  let json = ''
  for (let index = 0; index < length && !walk.isDone; index++) {
    if (inCard) walk.inner = index
    else walk.outer = index
    if (index > 0) json += ','
    json += writeComponent(walk, components[index], inCard)
  }
  if (inCard) walk.inner = -1
  else walk.outer = -1
  return json
}

/** One that cannot be read costs its own place an issue, and the others nothing. */
function writeComponent(walk: Walk, component: unknown, inCard: boolean): string {
  if (!walk.countComponent()) return ''
  try {
    return writeKnownComponent(walk, component, inCard)
  } catch {
    walk.report('unreadable', undefined, UNREADABLE)
    walk.item = -1
    walk.inHeader = false
    if (!inCard) walk.inner = -1
    return ''
  }
}

function writeKnownComponent(walk: Walk, component: unknown, inCard: boolean): string {
  if (!isObject(component)) return reportNo(walk, 'an object', component)
  walk.fields.read(component)
  const { type, seen } = walk.fields
  switch (type) {
    case 'text':
    case 'date_time':
      return writeLabelled(walk, component, type)
    case 'badge':
      return writeBadge(walk, component)
    case 'button':
    case 'link':
      return writeLinked(walk, component, type)
    case 'divider':
      refuseOthers(walk, 'divider', TYPE, seen, component)
      return '{"type":"divider"}'
    case 'card':
      if (inCard) return walk.report('nested_card', 'type', NESTED_CARD)
      return writeCard(walk, component)
    default:
      if (typeof type !== 'string') return reportNoString(walk, type, 'type', A_TYPE)
      return walk.report(
        'unknown_component',
        'type',
        explain.notOneOf('a component type', type, COMPONENT_TYPES),
      )
  }
}

const NESTED_CARD =
  'a card cannot hold a card: move it to the top level, or put its components here instead'

function writeCard(walk: Walk, card: object): string {
  const { seen, header, components } = walk.fields
  const headerJson = header === undefined ? '' : writeHeader(walk, header)
  const componentsJson = Array.isArray(components)
    ? writeComponents(walk, components, true)
    : reportNo(walk, 'an array', components, 'components')
  refuseOthers(walk, 'card', CARD_FIELDS, seen, card)
  return header === undefined
    ? `{"type":"card","components":[${componentsJson}]}`
    : `{"type":"card","header":${headerJson},"components":[${componentsJson}]}`
}
