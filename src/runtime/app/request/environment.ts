import { isPlain } from '../../contract/copy-values.ts'
import { readProperty } from '../../internal/hostile-values.ts'
import type { StandardIssue, StandardSchema } from '../../internal/standard-schema.ts'
import { isTimeout, runUserCode, type TimeLimit } from '../../internal/user-code.ts'

/** The validated bindings of an environment, or their problems. */
export type Bindings =
  | { readonly env: unknown; readonly problems?: undefined }
  /** One sentence for each binding, with names and paths, never values. */
  | { readonly env?: undefined; readonly problems: readonly string[] }

/** Reads the bindings of an environment. Never rejects. */
export type ReadBindings = (env: unknown, limit: TimeLimit) => Bindings | Promise<Bindings>

/**
 * Creates a function that validates bindings with a schema, once per environment.
 * Bindings that are not plain objects (KV, D1, services) are passed through by
 * reference. Only valid bindings are cached, because a schema that reads a remote
 * secret can fail once and succeed later.
 */
export function createBindingsReader(schema: StandardSchema): ReadBindings {
  const known = new WeakMap<object, Promise<Bindings>>()
  return async (env, limit) => {
    const raw = typeof env === 'object' && env !== null ? env : {}
    let reading = known.get(raw)
    if (reading === undefined) known.set(raw, (reading = validateBindings(schema, raw, limit)))
    const bindings = await waitFor(reading, limit)
    if (bindings.problems !== undefined && known.get(raw) === reading) known.delete(raw)
    return bindings
  }
}

async function validateBindings(
  schema: StandardSchema,
  raw: object,
  limit: TimeLimit,
): Promise<Bindings> {
  const result = await runUserCode(() => schema['~standard'].validate(raw), limit)
  if (typeof result !== 'object') throw new TypeError('The schema returned no result.')
  if (result.issues === undefined) return { env: keepReferences(result.value, raw) }
  const problems = result.issues.map((issue) => describeIssue(issue, raw))
  return { problems: problems.length > 0 ? problems : ['The bindings are invalid.'] }
}

/** Waits for the validation of another request, but only until this request's own timeout. */
async function waitFor(reading: Promise<Bindings>, limit: TimeLimit): Promise<Bindings> {
  try {
    return await limit.race(reading)
  } catch (error) {
    const problem = isTimeout(error) ? 'did not finish in time' : 'failed'
    return { problems: [`The schema of the bindings ${problem}.`] }
  }
}

/**
 * Restores bindings of the platform by reference, because a validator may copy,
 * and so break, them.
 */
function keepReferences(output: unknown, raw: object): unknown {
  if (typeof output !== 'object' || output === null) return output
  const names = Object.keys(output).filter((name) => isReference(readProperty(raw, name)))
  if (names.length === 0) return output
  return { ...output, ...Object.fromEntries(names.map((name) => [name, readProperty(raw, name)])) }
}

function isReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'function'
  return !Array.isArray(value) && !isPlain(value)
}

function describeIssue({ path = [] }: StandardIssue, raw: object): string {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step))
  if (keys.length === 0) return 'The binding object is invalid.'
  let value: unknown = raw
  for (const key of keys) {
    if (!isName(key, value, raw)) return 'A binding is invalid.'
    value = readProperty(value, key)
  }
  return `The binding ${keys.join('.')} is ${value === undefined ? 'missing' : 'invalid'}.`
}

/**
 * Returns whether a key is really a name, because a schema can put anything into a
 * path, even the value of a binding.
 */
function isName(key: PropertyKey, parent: unknown, raw: object): key is string {
  if (typeof parent === 'object' && parent !== null && Object.hasOwn(parent, key)) {
    return typeof key !== 'symbol'
  }
  if (typeof key !== 'string' || !/^[\w$-]{1,64}$/.test(key)) return false
  return !Object.values(raw).some(
    (value) =>
      value === key || (key.length >= 8 && typeof value === 'string' && value.includes(key)),
  )
}
