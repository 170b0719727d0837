import type { StandardSchema } from '../internal/standard-schema.ts'

/** Bindings that are missing or invalid, one sentence each. Names and paths, never values. */
export class InvalidBindings {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    this.problems = problems
  }
}

/** Returns the validated bindings of an environment, or their problems. */
export type ReadBindings = (env: unknown) => Promise<unknown>

/**
 * Creates a function that validates bindings with a schema, once per
 * environment. Bindings that are not plain objects (KV, D1, services) are
 * passed through by reference.
 */
export function createBindingsReader(schema: StandardSchema): ReadBindings {
  const known = new WeakMap<object, Promise<unknown>>()
  return (env) => {
    const raw = typeof env === 'object' && env !== null ? env : {}
    let reading = known.get(raw)
    if (reading === undefined) known.set(raw, (reading = validateBindings(schema, raw)))
    return reading
  }
}

async function validateBindings(schema: StandardSchema, raw: object): Promise<unknown> {
  try {
    const result = await schema['~standard'].validate(raw)
    if (result.issues !== undefined) {
      return new InvalidBindings(result.issues.map((issue) => describeIssue(issue.path ?? [], raw)))
    }
    return keepReferences(result.value, raw)
  } catch {
    return new InvalidBindings(['The schema of the bindings failed.'])
  }
}

/** A validator may copy what it validates, which breaks a binding of the platform. */
function keepReferences(output: unknown, raw: object): unknown {
  if (typeof output !== 'object' || output === null) return output
  const references = Object.keys(output).flatMap((name) => {
    const value = (raw as Readonly<Record<string, unknown>>)[name]
    return isReference(value) ? [[name, value] as const] : []
  })
  return references.length === 0 ? output : { ...output, ...Object.fromEntries(references) }
}

function isReference(value: unknown): boolean {
  if (typeof value === 'function') return true
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype !== null && Object.getPrototypeOf(prototype) !== null
}

function describeIssue(
  path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>,
  raw: unknown,
): string {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step))
  const value = keys.reduce<unknown>(
    (parent, key) => (parent as Readonly<Record<PropertyKey, unknown>> | undefined | null)?.[key],
    raw,
  )
  const name = keys.map(String).join('.')
  return `The binding ${name === '' ? 'object' : name} is ${value === undefined ? 'missing' : 'invalid'}.`
}
