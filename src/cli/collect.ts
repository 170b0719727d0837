/** Gathers the values of an option that may be given more than once, for commander. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value]
}
