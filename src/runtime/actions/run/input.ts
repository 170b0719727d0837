import type { StandardIssue, StandardSchema } from '../../internal/standard-schema.ts'
import { consumeRejections } from '../../internal/user-code.ts'
import { isThenable } from '../../internal/hostile-values.ts'

/** Returns the JSON of a value; `undefined` if there is no JSON for it. */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/**
 * Returns what is wrong with the JSON of an input, or `undefined`. A schema that
 * returns a promise is only used on the page.
 */
export function findInputProblem(schema: StandardSchema, json: string): string | undefined {
  const result = schema['~standard'].validate(JSON.parse(json))
  if (isThenable(result)) {
    consumeRejections(result)
    return undefined
  }
  const [issue] = result.issues ?? []
  return issue && describeInputIssue(issue)
}

/** Names the place of an issue, but not its message, which may quote the value. */
export function describeInputIssue({ path = [] }: StandardIssue): string {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step))
  const isNamed = keys.length > 0 && keys.every((key) => /^\w{1,40}$/.test(String(key)))
  return isNamed ? `is invalid at ${keys.map(String).join('.')}` : 'is invalid'
}
