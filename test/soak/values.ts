import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import {
  badge,
  button,
  card,
  dateTime,
  divider,
  InvalidComponentError,
  link,
  noAuth,
  sidecard,
  text,
} from '../../src/index.ts'
import { isDateTime, isLink, validatePayload } from '../../src/contract/index.ts'
import { nearPayload } from '../helpers/payload-arbitraries.ts'
import { failureList, type Soak } from './soak.ts'

const SCHEMA = new URL('../../schema/1.0.0.json', import.meta.url)
const BATCH = 10_000

const BUILDERS: Readonly<Record<string, (fields: never) => object>> = {
  text,
  date_time: dateTime,
  badge,
  button,
  link,
  card,
  divider,
}

/**
 * Payloads, right and wrong, through validation, the builders and an app.
 * Another judge (ajv over the JSON Schema) must agree on each, and what the app
 * emits must be valid, whatever it was given.
 */
export const valuesSoak: Soak = async ({ count, seed }) => {
  const ajv = new Ajv2020({ strict: true })
  ajv.addFormat('uri', isLink)
  ajv.addFormat('date-time', isDateTime)
  const judge = ajv.compile(JSON.parse(readFileSync(SCHEMA, 'utf8')) as object)
  const found = failureList()
  let given: unknown
  const app = sidecard({
    header: { title: 'Soak' },
    auth: noAuth(),
    logger: false,
    fetchData: () => given as never,
  })
  /** @returns whether what was given was emitted, and not a fault in its place */
  const emit = async (value: unknown): Promise<boolean> => {
    given = value
    const response = await app.request('/?request_type=fetch_data')
    const emitted: unknown = await response.json()
    if (response.status !== 200 || !judge(emitted)) {
      found.add(`emitted ${response.status} ${JSON.stringify(emitted)}`)
    }
    return !response.headers.has('x-sidecard-fault')
  }
  let valid = 0
  let built = 0
  for (let done = 0; done < count; done += BATCH) {
    const size = Math.min(BATCH, count - done)
    for (const value of fc.sample(nearPayload, { numRuns: size, seed: seed + done })) {
      const json = JSON.parse(JSON.stringify(value) ?? 'null') as unknown
      const verdict = validatePayload(json)
      if (verdict.ok !== judge(json)) found.add(`the judges differ on ${JSON.stringify(json)}`)
      if (verdict.ok) valid += 1
      // oxlint-disable-next-line no-await-in-loop -- one value after another
      const isEmitted = await emit(json)
      // An array is read as children, and may be right where no payload is.
      if (verdict.ok && !isEmitted) found.add(`refused the valid ${JSON.stringify(json)}`)
      const children = buildAll(json, found.add)
      built += children.length
      // oxlint-disable-next-line no-await-in-loop -- one value after another
      if (!(await emit(children))) found.add(`refused the built ${JSON.stringify(children)}`)
    }
  }
  return {
    figures: { values: count, valid, invalid: count - valid, built, failures: found.count },
    failures: found.failures,
  }
}

/** What the builders make of the components of a value; what they refuse is left out. */
function buildAll(value: unknown, fail: (failure: string) => void): readonly object[] {
  const { components } = (value ?? {}) as { components?: unknown }
  if (!Array.isArray(components)) return []
  return components.flatMap((component: unknown) => {
    const { type, ...fields } = Object(component) as { type?: unknown }
    const builder = typeof type === 'string' && Object.hasOwn(BUILDERS, type) && BUILDERS[type]
    if (!builder) return []
    // A card trusts the children that it is given; here builders have made them, too.
    const own = type === 'card' ? { ...fields, components: buildAll(component, fail) } : fields
    try {
      return [builder(own as never)]
    } catch (error) {
      if (!(error instanceof InvalidComponentError)) fail(`a builder threw ${String(error)}`)
      return []
    }
  })
}
