import type { CodeSource } from '../desk/codes.ts'
import type { Send } from '../desk/target.ts'
import type { Pause } from './pause.ts'
import type { SeedName } from './protocol.ts'

/** How an emulator is made. */
export interface EmulatorOptions {
  /** The database file, which survives restarts. @default ':memory:' */
  readonly database?: string
  /** The data that a new database begins with. @default 'default' */
  readonly seed?: SeedName
  /** Refuses API requests that do what the contract does not show; otherwise a header names it. @default false */
  readonly strict?: boolean
  /** The bearer token of the API. @default a random one for each run */
  readonly accessToken?: string
  /** How long an app may take to answer, in milliseconds. @default 5000 (A7) */
  readonly timeoutMs?: number
  /** A clock in milliseconds. @default Date.now */
  readonly now?: () => number
  /** Waits for faults and slow readers. @default on the real clock */
  readonly pause?: Pause
  /** Makes handshake codes. @default random */
  readonly codes?: CodeSource
  /** Sends requests to apps at an address. @default globalThis.fetch */
  readonly fetch?: Send
}

/** Where an emulator listens. */
export interface ListenOptions {
  /** 0 takes any that is free. @default 0 */
  readonly port?: number
  /**
   * The address to bind. Anything but a loopback address opens the emulator,
   * and the data of the apps connected to it, to the network.
   * @default '127.0.0.1'
   */
  readonly hostname?: string
}
