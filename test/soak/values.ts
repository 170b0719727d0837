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
import { isDateTime, isLink, validatePayload } from '../../src/runtime/contract/index.ts'
import { nearPayload } from '../helpers/payload-arbitraries.ts'
import { createFailureList, type Soak } from './soak.ts'

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
 * Valid and invalid payloads through validation, the builders and an app. A second
 * validator (ajv with the JSON Schema) must agree on each, and every response of
 * the app must be valid.
 */
export const valuesSoak: Soak = async ({ count, seed }) => {
  const ajv = new Ajv2020({ strict: true })
  ajv.addFormat('uri', isLink)
  ajv.addFormat('date-time', isDateTime)
  const isValid = ajv.compile(JSON.parse(readFileSync(SCHEMA, 'utf8')) as object)
  const found = createFailureList()
  let returned: unknown
  const app = sidecard({
    header: { title: 'Soak' },
    auth: noAuth(),
    logger: false,
    fetchData: () => returned as never,
  })
  /** @returns whether the value was sent instead of a failure card */
  const emit = async (value: unknown): Promise<boolean> => {
    returned = value
    const response = await app.request('/?request_type=fetch_data')
    const emitted: unknown = await response.json()
    if (response.status !== 200 || !isValid(emitted)) {
      found.add(`emitted ${response.status} ${JSON.stringify(emitted)}`)
    }
    return !response.headers.has('x-sidecard-failure')
  }
  let valid = 0
  let built = 0
  for (let done = 0; done < count; done += BATCH) {
    const size = Math.min(BATCH, count - done)
    for (const value of fc.sample(nearPayload, { numRuns: size, seed: seed + done })) {
      const json = JSON.parse(JSON.stringify(value) ?? 'null') as unknown
      const result = validatePayload(json)
      if (result.ok !== isValid(json))
        found.add(`the validators disagree on ${JSON.stringify(json)}`)
      if (result.ok) valid += 1
      // oxlint-disable-next-line no-await-in-loop -- one value after another
      const isEmitted = await emit(result.ok ? { ...result.payload, version: '1.0.0' } : json)
      // An array is read as children, so it can be sent although it is not a payload.
      if (result.ok && !isEmitted) found.add(`rejected the valid ${JSON.stringify(json)}`)
      const children = buildAll(json, found.add)
      built += children.length
      // oxlint-disable-next-line no-await-in-loop -- one value after another
      if (!(await emit(children))) found.add(`rejected the built ${JSON.stringify(children)}`)
    }
  }
  return {
    figures: { values: count, valid, invalid: count - valid, built, failures: found.count },
    failures: found.failures,
  }
}

/** Calls the builders with the components of a value; omits those that they reject. */
function buildAll(value: unknown, fail: (failure: string) => void): readonly object[] {
  const { components } = (value ?? {}) as { components?: unknown }
  if (!Array.isArray(components)) return []
  return components.flatMap((component: unknown) => {
    const { type, ...fields } = Object(component) as { type?: unknown }
    const builder = typeof type === 'string' && Object.hasOwn(BUILDERS, type) && BUILDERS[type]
    if (!builder) return []
    // The builder of a card does not validate its children: builders create them here.
    const own = type === 'card' ? { ...fields, components: buildAll(component, fail) } : fields
    try {
      return [builder(own as never)]
    } catch (error) {
      if (!(error instanceof InvalidComponentError)) fail(`a builder threw ${String(error)}`)
      return []
    }
  })
}
