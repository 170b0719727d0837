import { argumentIssue } from './components/invalid-component-error.ts'

/**
 * Returns the issue of a whole number whose last digits JavaScript may have
 * changed, or `undefined` for any other value.
 *
 * @param use completes the fix, after "Read the column as a string or a bigint"
 */
export function findInexactNumber(path: string, value: unknown, use = '') {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return undefined
  const message = 'is a whole number that JavaScript cannot represent exactly'
  return argumentIssue(path, value, message, `Read the column as a string or a bigint${use}.`)
}
