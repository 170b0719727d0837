import type { FetchDataParameter } from '../../contract/parameters.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'

/** The settings of `sidecard dev`. */
export interface DevSettings {
  readonly url: string
  /** Returns the custom headers. Local secrets may change while the command runs. */
  readonly headers: () => Readonly<Record<string, string>>
  /** IDs to request with instead of those of an issue. */
  readonly params: Readonly<Partial<Record<FetchDataParameter, string>>>
  /** The bearer token of the emulated API. @default a random one */
  readonly accessToken?: string
  readonly name: string
  /** The port of the workspace; `undefined` for 4310 or the next free one. */
  readonly port: number | undefined
  /** The port for a tunnel; `undefined` for none. */
  readonly proxyPort: number | undefined
  readonly database: string
  /** The name of a built-in data set, or the user's own data set. */
  readonly dataset: NonNullable<EmulatorOptions['dataset']>
  readonly strict: boolean
  readonly open: boolean
  readonly json: boolean
  /** Whether the command opens one issue and exits. */
  readonly once: boolean
  readonly command: readonly string[]
  /** How long to wait for the endpoint before printing a hint, in milliseconds. @default 5000 */
  readonly hintAfterMs?: number
}
