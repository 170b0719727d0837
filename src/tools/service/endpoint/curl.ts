/**
 * Formats a request as a command for a POSIX shell. It reads the values of custom headers,
 * which are write-only, and those of hidden parameters from environment variables.
 */
export function formatCurl(
  url: string,
  headerNames: readonly string[],
  isHidden: (parameter: string, value: string) => boolean = () => false,
): string {
  const headers = headerNames.map((name) => `-H ${quoteForShell(`${name}: `)}${variable(name)}`)
  const shown = url.split(/(?<=[?&])/).map((pair) => {
    const [, start = '', encoded = '', end = ''] = /^([^=&#]+)(=[^&#]*)?(.*)$/s.exec(pair) ?? []
    const [[name, value] = ['', '']] = [...new URLSearchParams(start + encoded)]
    return isHidden(name, value) ? `${start}=\0${variable(name)}\0${end}` : pair
  })
  const parts = shown.join('').split('\0')
  const quoted = parts.map((part, index) => (index % 2 === 0 ? part && quoteForShell(part) : part))
  // Without --globoff, curl expands brackets and braces in the URL.
  return ['curl --include --globoff', ...headers, quoted.join('')].join(' ')
}

function variable(word: string): string {
  const name = word.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
  return /^\d/.test(name) ? `"$_${name}"` : `"$${name}"`
}

function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
