import * as explain from './explain.ts'
import type { PayloadIssue } from './issues.ts'
import type { Component } from './payload.ts'
import { writeHeader } from './walk/header.ts'
import { writeBadge, writeButton, writeLabelled, writeLink } from './walk/leaves.ts'
import { type Fields, isObject, reportNo, reportUnknown } from './walk/objects.ts'
import { Walk, type WalkOptions } from './walk/state.ts'
import { reportNoString, stringText } from './walk/values.ts'

/**
 * The one walk that judges a payload and writes its JSON in the same pass.
 *
 * It stands on every request, so it is written by hand: the zod schemas of
 * `payload.ts` are the source of the types, and a property test shows that the
 * two always agree. Every property is read exactly once, and only own
 * enumerable ones count, so that what was judged is what is written, whatever
 * getters and proxies answer the second time.
 */

/** What a walk came to: the JSON text, or what is wrong. */
export type Encoded =
  | { readonly ok: true; readonly json: string; readonly componentCount: number }
  | { readonly ok: false; readonly issues: PayloadIssue[] }

const PAYLOAD_FIELDS = ['version', 'header', 'components']
const CARD_FIELDS = ['type', 'header', 'components']
const DIVIDER_FIELDS = ['type']

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

const TYPE: explain.Wanted = {
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
  const walk = new Walk(options)
  let json = ''
  try {
    json = writePayload(walk, value)
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
  const walk = new Walk(options)
  try {
    writeHeader(walk, value)
  } catch {
    walk.report('unreadable', undefined, UNREADABLE)
  }
  return walk.issues
}

function writePayload(walk: Walk, payload: unknown): string {
  if (!isObject(payload)) return reportNo(walk, 'an object', payload)
  const fields: Fields = payload
  const keys = Object.keys(payload)
  let known = 0
  let version: unknown
  let header: unknown
  let components: unknown
  for (const key of keys) {
    if (key === 'version') version = fields.version
    else if (key === 'header') header = fields.header
    else if (key === 'components') components = fields.components
    else continue
    known++
  }
  // Any version is a string to us (A3): the checker has an opinion, the walk has none.
  const versionText = stringText(walk, version, 'version')
  const headerJson = writeHeader(walk, header)
  const componentsJson = Array.isArray(components)
    ? writeComponents(walk, components)
    : reportNo(walk, 'an array', components, 'components')
  if (known < keys.length) reportUnknown(walk, 'the payload', keys, PAYLOAD_FIELDS)
  return `{"version":"${versionText}","header":${headerJson},"components":[${componentsJson}]}`
}

function writeComponents(walk: Walk, components: readonly unknown[]): string {
  const length = components.length
  let json = ''
  for (let index = 0; index < length && !walk.isDone; index++) {
    walk.outer = index
    if (index > 0) json += ','
    json += writeComponent(walk, components[index], false)
  }
  walk.outer = -1
  return json
}

function writeCardChildren(walk: Walk, components: readonly unknown[]): string {
  const length = components.length
  let json = ''
  for (let index = 0; index < length && !walk.isDone; index++) {
    walk.inner = index
    if (index > 0) json += ','
    json += writeComponent(walk, components[index], true)
  }
  walk.inner = -1
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
  const fields: Fields = component
  const keys = Object.keys(component)
  const type = keys[0] === 'type' || keys.includes('type') ? fields.type : undefined
  switch (type) {
    case 'text':
    case 'date_time':
      return writeLabelled(walk, fields, keys, type)
    case 'badge':
      return writeBadge(walk, fields, keys)
    case 'button':
      return writeButton(walk, fields, keys)
    case 'link':
      return writeLink(walk, fields, keys)
    case 'divider':
      if (keys.length > 1) reportUnknown(walk, 'divider', keys, DIVIDER_FIELDS)
      return '{"type":"divider"}'
    case 'card':
      if (inCard) return walk.report('nested_card', 'type', NESTED_CARD)
      return writeCard(walk, fields, keys)
    default:
      if (typeof type !== 'string') return reportNoString(walk, type, 'type', TYPE)
      return walk.report(
        'unknown_component',
        'type',
        explain.notOneOf('a component type', type, COMPONENT_TYPES),
      )
  }
}

const NESTED_CARD =
  'a card cannot hold a card: move it to the top level, or put its components here instead'

function writeCard(walk: Walk, fields: Fields, keys: readonly string[]): string {
  let known = 1
  let header: unknown
  let components: unknown
  for (const key of keys) {
    if (key === 'header') header = fields.header
    else if (key === 'components') components = fields.components
    else continue
    known++
  }
  const headerJson = header === undefined ? '' : writeHeader(walk, header)
  const componentsJson = Array.isArray(components)
    ? writeCardChildren(walk, components)
    : reportNo(walk, 'an array', components, 'components')
  if (known < keys.length) reportUnknown(walk, 'card', keys, CARD_FIELDS)
  return header === undefined
    ? `{"type":"card","components":[${componentsJson}]}`
    : `{"type":"card","header":${headerJson},"components":[${componentsJson}]}`
}
