/**
 * A request as a command for a POSIX shell. The values of custom headers are
 * write-only, so each is read from an environment variable named after it.
 */
export function curlCommand(url: string, headerNames: readonly string[]): string {
  const headers = headerNames.map((name) => `-H "${name}: $${variableOf(name)}"`)
  return ['curl --include', ...headers, quote(url)].join(' ')
}

function variableOf(headerName: string): string {
  const name = headerName.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
  return /^\d/.test(name) ? `_${name}` : name
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
