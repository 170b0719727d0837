import { closest } from '../../internal/closest.ts'
import { printable, quoted } from '../../internal/printable.ts'
import { SCHEMA_VERSION } from '../../contract/version.ts'
import { describe } from '../verify.ts'
import { field, isJsonObject } from './payload-walk.ts'
import type { PayloadNode } from './payload-walk.ts'
import type { Fault, RuleInfo } from './rule.ts'
import { BADGE_ITEM_SHAPE, COMPONENT_SHAPES, HEADER_SHAPE, PAYLOAD_FIELDS } from './shapes.ts'

/** A rule that judges one place of a payload at a time. */
export interface PayloadRule extends RuleInfo {
  judge(node: PayloadNode): Fault | undefined
}

const version: PayloadRule = {
  id: 'payload-version',
  group: 'payload',
  level: 'MUST',
  title: 'The payload has a version, a string',
  contract: {
    says: 'Top-level object: `version`, string, required: the schema version.',
    anchor: 'payload',
    basis: 'words',
  },
  fix: `Add "version": "${SCHEMA_VERSION}" to the payload.`,
  why: 'The service reads the version to know which schema the payload follows. A number such as `1` is not a string.',
  judge(node) {
    if (node.kind !== 'payload') return undefined
    return wrongField(node.value, 'version', (value) => typeof value === 'string', 'a string')
  },
}

const versionKnown: PayloadRule = {
  id: 'payload-version-known',
  group: 'payload',
  level: 'ASSUMED',
  assumption: 'A3',
  title: `The version is ${SCHEMA_VERSION}`,
  contract: {
    says: 'The schema version defined here is `1.0.0`. What the service does with another one is not shown.',
    anchor: 'versioning',
    basis: 'silence',
  },
  fix: `Write "version": "${SCHEMA_VERSION}", the one version that the contract defines.`,
  why: 'Any string satisfies the contract. A version that nobody defined may be refused, or read by rules that you do not expect.',
  judge(node) {
    if (node.kind !== 'payload') return undefined
    const value = field(node.value, 'version')
    if (typeof value !== 'string' || value === SCHEMA_VERSION) return undefined
    return { path: 'version', message: `the version is ${quoted(value, 40)}` }
  },
}

const header: PayloadRule = {
  id: 'payload-header',
  group: 'payload',
  level: 'MUST',
  title: 'The payload has a header, an object',
  contract: {
    says: 'Top-level object: `header`, object, required.',
    anchor: 'payload',
    basis: 'words',
  },
  fix: 'Add "header": { "title": "…" } to the payload.',
  why: 'The header is required even when it is empty; `null` and a bare string are not objects.',
  judge(node) {
    if (node.kind !== 'payload') return undefined
    return wrongField(node.value, 'header', isJsonObject, 'an object')
  },
}

const headerTitle: PayloadRule = {
  id: 'payload-header-title',
  group: 'payload',
  level: 'ASSUMED',
  assumption: 'A1',
  title: 'The header has a title',
  contract: {
    says: '`header`: `title` (string), `icon_url` (string, URI). Whether either is required is not shown.',
    anchor: 'payload',
    basis: 'silence',
  },
  fix: 'Give the header a title, so that an agent sees whose widget it is.',
  why: 'A widget without a title is hard to tell from its neighbours in the sidebar.',
  judge(node) {
    if (node.kind !== 'header' || node.of !== 'payload') return undefined
    if (Object.hasOwn(node.value, 'title')) return undefined
    return { path: `${node.path}.title`, message: 'the header has no title' }
  },
}

const componentsField: PayloadRule = {
  id: 'payload-components',
  group: 'payload',
  level: 'MUST',
  title: 'The payload has components, an array',
  contract: {
    says: 'Top-level object: `components`, array, required.',
    anchor: 'payload',
    basis: 'words',
  },
  fix: 'Add "components": [ … ]; an empty array is allowed.',
  why: 'A single component still stands in an array. An object keyed by number, as some languages write a sparse list, is not one.',
  judge(node) {
    if (node.kind !== 'payload') return undefined
    return wrongField(node.value, 'components', Array.isArray, 'an array')
  },
}

const extraFields: PayloadRule = {
  id: 'extra-fields',
  group: 'payload',
  level: 'ASSUMED',
  assumption: 'A2',
  title: 'Nothing has a field that the contract does not list',
  contract: {
    says: 'The tables list the fields of the payload, of headers, components and badge items. What happens to others is not shown.',
    anchor: 'payload',
    basis: 'silence',
  },
  fix: 'Remove the field, or correct its spelling.',
  why: 'A field that the service does not know is most often a misspelling of one that it does, such as `iconUrl` for `icon_url`. On a divider it breaks the contract: see `divider-fields`.',
  judge(node) {
    const known = knownFields(node)
    if (known === undefined || !isJsonObject(node.value)) return undefined
    const extra = Object.keys(node.value).filter((name) => !known.includes(name))
    const [first] = extra
    if (first === undefined) return undefined
    const absent = known.filter((name) => !Object.hasOwn(node.value as object, name))
    const meant = closest(first, absent)
    const names = extra.slice(0, 5).map((name) => quoted(name, 40))
    const more = extra.length > 5 ? ` and ${extra.length - 5} more` : ''
    return {
      path: node.path === '' ? printable(first, 40) : `${node.path}.${printable(first, 40)}`,
      message: `not in the contract: ${names.join(', ')}${more}`,
      ...(meant !== undefined && { fix: `Did you mean ${meant}?` }),
    }
  },
}

/** The fields that a place may have; `undefined` where another rule speaks. */
function knownFields(node: PayloadNode): readonly string[] | undefined {
  if (node.kind === 'payload') return PAYLOAD_FIELDS
  if (node.kind === 'header') return Object.keys(HEADER_SHAPE)
  if (node.kind === 'badge_item') return Object.keys(BADGE_ITEM_SHAPE)
  if (!isJsonObject(node.value)) return undefined
  const type = field(node.value, 'type')
  if (typeof type !== 'string' || type === 'divider') return undefined
  if (type === 'card' && node.inCard) return undefined
  const shape = COMPONENT_SHAPES.get(type)
  return shape === undefined ? undefined : ['type', ...Object.keys(shape)]
}

/** A required field of the payload that is missing or of the wrong kind. */
function wrongField(
  payload: Readonly<Record<string, unknown>>,
  name: string,
  fits: (value: unknown) => boolean,
  wanted: string,
): Fault | undefined {
  if (!Object.hasOwn(payload, name)) {
    const meant = Object.keys(payload).find((other) => closest(other, [name]) === name)
    return {
      path: name,
      message: `the payload has no ${name}`,
      ...(meant !== undefined &&
        !PAYLOAD_FIELDS.includes(meant) && { fix: `Rename ${quoted(meant, 40)} to ${name}.` }),
    }
  }
  const value = payload[name]
  if (fits(value)) return undefined
  return { path: name, message: `${name} is ${describe(value)}, not ${wanted}` }
}

/** The rules of the payload itself. @see docs/checks/README.md#payload */
export const payloadRules: readonly PayloadRule[] = [
  version,
  versionKnown,
  header,
  headerTitle,
  componentsField,
  extraFields,
]
