import { isDateTime } from '../../contract/date-time.ts'
import { OPERATIONS, type ResourceName } from '../../contract/operations.ts'
import { RESOURCE_SCHEMAS } from '../../contract/resources.ts'
import { isJsonObject } from '../../service/json-object.ts'
import type { Result } from './assumption.ts'
import { isList, isSuccess, NO_CALL, readEnvelope } from './envelope.ts'
import { counted, type Evidence, say } from './evidence.ts'
import type { Traffic } from './traffic.ts'

/** Fields whose values the contract does not list. */
const OPEN_LISTS = {
  task: [],
  ticket_form: ['type'],
  message: ['source'],
  user: ['status'],
  knowledge_base: [],
  team: [],
  tag: ['object_type'],
  user_role: [],
} as const satisfies Record<ResourceName, readonly string[]>

const MOMENTS = ['created_at', 'updated_at', 'due_date', 'timestamp']

/** A14: fields have the documented types; absent ones, other ones and other values are accepted. */
export function decideFields({ calls }: Traffic): Result {
  const resources = calls.filter(isSuccess).flatMap((call) => {
    const { data, items } = readEnvelope(call)
    const { resource } = OPERATIONS[call.operation].response
    return (isList(call) ? (items ?? []) : [data]).map((item) => ({ resource, item }))
  })
  if (resources.length === 0) {
    const reason = calls.length === 0 ? NO_CALL : say`no call returned data`
    return { status: 'skipped', reason }
  }
  const groups = Map.groupBy(resources, ({ resource }) => resource)
  const problems = new Set<string>()
  const evidence: Evidence[] = []
  for (const [resource, found] of groups) {
    const schema = RESOURCE_SCHEMAS[resource]
    const items = found.map(({ item }) => item)
    for (const item of items) {
      for (const { path } of schema.safeParse(item).error?.issues ?? []) {
        problems.add([resource, ...path.filter((part) => typeof part === 'string')].join('.'))
      }
    }
    const objects = items.filter(isJsonObject)
    const documented = Object.keys(schema.shape)
    const absent = documented.filter((name) => objects.some((item) => item[name] === undefined))
    const extra = [...new Set(objects.flatMap(Object.keys))].filter(
      (name) => !documented.includes(name),
    )
    evidence.push(say`${resource}: ${counted(items.length, 'object')}`)
    if (absent.length > 0) evidence.push(say`${resource}, absent in at least one: ${absent}`)
    if (extra.length > 0) evidence.push(say`${resource}, not in the contract: ${extra}`)
    const parts = objects
      .flatMap((item) => [item, ...(Array.isArray(item['fields']) ? item['fields'] : [])])
      .filter(isJsonObject)
    for (const name of OPEN_LISTS[resource]) {
      const values = [
        ...new Set(parts.map((part) => part[name]).filter((value) => typeof value === 'string')),
      ]
      if (values.length > 0) evidence.push(say`${resource}, values of ${name}: ${values}`)
    }
    const moments = objects
      .flatMap((item) => MOMENTS.map((name) => item[name]))
      .filter((value) => typeof value === 'string')
    const isRfc3339 = moments.filter(isDateTime).length
    if (moments.length > 0)
      evidence.push(say`${resource}, times in RFC 3339: ${isRfc3339} of ${moments.length}`)
  }
  if (problems.size > 0) {
    const deviations = say`not of the documented type, for example null: ${[...problems]}`
    return { status: 'does_not_hold', evidence: [deviations, ...evidence] }
  }
  return { status: 'holds', evidence }
}
