import type { Form, FormValues } from '../fields/fields.ts'
import type { Visit } from './visit.ts'

/**
 * Returns the sentence that says what an action does with the values of its form.
 *
 * @throws {TypeError} if the option `summary` returns something else
 */
export function summarize({ definition, input }: Visit, values: FormValues<Form>): string {
  const { options, label } = definition
  const sentence: unknown = options.summary?.(input, values) ?? label
  if (typeof sentence === 'string' && sentence.trim() !== '') return sentence
  throw new TypeError('The option summary of an action must return a non-empty string.')
}
