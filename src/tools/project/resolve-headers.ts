/** Matches a variable alone, after a scheme such as `Bearer`, or after the name of a cookie. */
const VARIABLE = /(?<=^|[\s=])env:(\w+)/g

/**
 * Replaces each `env:NAME` in the headers of an app. A blank or absent variable is
 * listed in `missing`, and headers with it are left out.
 */
export function resolveHeaders(
  headers: Readonly<Record<string, string>>,
  env: Readonly<Record<string, unknown>>,
) {
  const missing = new Set<string>()
  const resolved = Object.entries(headers).flatMap(([name, raw]) => {
    let isComplete = true
    const value = raw.replace(VARIABLE, (_, variable: string) => {
      const found = Object.hasOwn(env, variable) ? env[variable] : undefined
      if (typeof found === 'string' && found.trim() !== '') return found
      missing.add(variable)
      isComplete = false
      return ''
    })
    return isComplete ? [[name, value] as const] : []
  })
  return { headers: Object.fromEntries(resolved), missing: [...missing] }
}
