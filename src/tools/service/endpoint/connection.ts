/**
 * The states of a custom app's connection. The contract only names `Unverified`;
 * the other names are assumptions (A15).
 *
 * @see docs/contract.md#connection
 */
export type ConnectionState = 'disconnected' | 'unverified' | 'connected'

/** A connection at one point in time, as plain data that can be stored. */
export interface Connection {
  readonly state: ConnectionState
  /** The number of handshakes and disconnections so far, to recognize an outdated result. */
  readonly attempt: number
  /** True while the current attempt has no result. */
  readonly handshaking: boolean
}

/** An event that changes a connection. A result carries the attempt it belongs to. */
export type ConnectionEvent =
  | { readonly type: 'handshake_started' }
  | { readonly type: 'handshake_succeeded'; readonly attempt: number }
  | { readonly type: 'handshake_failed'; readonly attempt: number }
  | { readonly type: 'disconnected' }

/** The connection of a new app. */
export const NEW_CONNECTION: Connection = {
  state: 'disconnected',
  attempt: 0,
  handshaking: false,
}

/**
 * Returns the connection after an event. From any state, a successful handshake
 * connects the app, and a failed one leaves it unverified. After a disconnection,
 * the result of an earlier handshake is ignored.
 */
export function reduceConnection(connection: Connection, event: ConnectionEvent): Connection {
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

/** Returns whether the service fetches data from the app, which requires a connected app. */
export function canFetchData({ state }: Connection): boolean {
  return state === 'connected'
}
