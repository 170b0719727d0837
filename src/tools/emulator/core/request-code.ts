/**
 * Formats a request as a command for a POSIX shell. The values of custom headers
 * are write-only, so the command reads each from an environment variable.
 */
export function formatCurl(url: string, headerNames: readonly string[]): string {
  const headers = headerNames.map(
    (name) => `-H ${quoteForShell(`${name}: `)}"$${variableName(name)}"`,
  )
  // Without --globoff, curl expands brackets and braces in the URL.
  return ['curl --include --globoff', ...headers, quoteForShell(url)].join(' ')
}

function variableName(headerName: string): string {
  const name = headerName.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
  return /^\d/.test(name) ? `_${name}` : name
}

function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
