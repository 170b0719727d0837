/** The custom headers as somebody without the secret would send them. */
export interface WrongHeaders {
  /** For a sentence: `without the headers`. */
  readonly sent: string
  readonly lack: 'missing' | 'wrong'
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Ways to lack a secret: not to send it, to send another one, and to send one
 * that a careless comparison takes for the right one.
 */
export function wrongHeaders(
  right: Readonly<Record<string, string>>,
  random: () => string,
): readonly WrongHeaders[] {
  const changed = (change: (value: string) => string) =>
    Object.fromEntries(Object.entries(right).map(([name, value]) => [name, change(value)]))
  return [
    { sent: 'without the headers', lack: 'missing', headers: {} },
    { sent: 'with empty headers', lack: 'missing', headers: changed(() => '') },
    { sent: 'with other values', lack: 'wrong', headers: changed(() => random()) },
    { sent: 'with longer values', lack: 'wrong', headers: changed((value) => `${value}x`) },
  ]
}
