/** Joins class names. Names that a style file does not define are left out. */
export function classes(...names: readonly (string | boolean | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
