/**
 * The states of a custom app's connection. The contract names `Unverified`;
 * the names of the other two are ours (A15).
 *
 * @see docs/contract.md#connection
 */
export type ConnectionState = 'disconnected' | 'unverified' | 'connected'

/** A connection at one moment; plain data, so that it can be stored. */
export interface Connection {
  readonly state: ConnectionState
  /** Counts handshakes and disconnections, so that a late result is told from the current one. */
  readonly attempt: number
  /** True while the current attempt has no result. */
  readonly handshaking: boolean
}

/** What moves a connection. A result carries the attempt that it belongs to. */
export type ConnectionEvent =
  | { readonly type: 'handshake_started' }
  | { readonly type: 'handshake_succeeded'; readonly attempt: number }
  | { readonly type: 'handshake_failed'; readonly attempt: number }
  | { readonly type: 'disconnected' }

/** The connection of an app that was just created. */
export const NEW_CONNECTION: Connection = {
  state: 'disconnected',
  attempt: 0,
  handshaking: false,
}

/**
 * The connection after an event. A handshake that succeeds connects the app
 * and one that fails leaves it unverified, whatever it was before. A
 * disconnection undoes either, and the result of a handshake that began before
 * it comes too late to count: the handshake must be completed again.
 */
export function nextConnection(connection: Connection, event: ConnectionEvent): Connection {
  const { attempt } = connection
  if (event.type === 'handshake_started') {
    return { ...connection, attempt: attempt + 1, handshaking: true }
  }
  if (event.type === 'disconnected') {
    return { state: 'disconnected', attempt: attempt + 1, handshaking: false }
  }
  if (event.attempt !== attempt || !connection.handshaking) return connection
  const state = event.type === 'handshake_succeeded' ? 'connected' : 'unverified'
  return { state, attempt, handshaking: false }
}

/** Tells whether the service asks the app for data: only while it is connected. */
export function mayFetchData({ state }: Connection): boolean {
  return state === 'connected'
}
