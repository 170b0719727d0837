import examples from './examples.json' with { type: 'json' }

/** An example payload. */
export interface Example {
  readonly name: string
  readonly value: unknown
}

/** The examples, in the order of the menu. A new playground shows the first one. */
export const EXAMPLES: readonly Example[] = examples

/** Returns an example as text. */
export function exampleText({ value }: Example): string {
  return JSON.stringify(value, null, 2)
}
