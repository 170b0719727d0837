/** The description of a link. */
export interface LinkDescription {
  /** The URL without credentials, for the tooltip. */
  readonly title: string
  /**
   * The host that the link opens, if the URL contains a misleading name before
   * it; otherwise null.
   */
  readonly misleadingHost: string | null
}

/**
 * Describes a URL. If it contains credentials, only the host is shown:
 * `https://bank.example@evil.example/` opens evil.example.
 */
export function describeLink(url: string): LinkDescription {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    return { title: url, misleadingHost: null }
  }
  if (parsed.username === '' && parsed.password === '') return { title: url, misleadingHost: null }
  const { host } = parsed
  parsed.username = ''
  parsed.password = ''
  return { title: `${host}: ${parsed.href}`, misleadingHost: host }
}
