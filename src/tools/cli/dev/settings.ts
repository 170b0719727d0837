import type { Project } from '../../project/project.ts'
import type { EmulatorOptions, ListenOptions } from '../../emulator/core/options.ts'

/** An app of `sidecard dev`. */
export interface DevApp {
  readonly name: string
  readonly url: URL
  /** Returns the custom headers. Local secrets may change while the command runs. */
  readonly headers: () => Readonly<Record<string, string>>
}

/** The apps at one origin, and the command that starts their server. */
export interface DevServerSettings {
  readonly apps: readonly [DevApp, ...DevApp[]]
  /** Empty if the user starts the server. */
  readonly command: readonly string[]
}

/** The settings of `sidecard dev`. */
export interface DevSettings {
  readonly servers: readonly [DevServerSettings, ...DevServerSettings[]]
  /**
   * Reads the project again. IDs of the command line become its first customer.
   *
   * @throws {SidecardError} `usage`
   */
  readonly readProject: () => Project
  /** Random values for secrets that the project lacks, passed to its commands. */
  readonly generated?: Readonly<Record<string, string>>
  readonly emulator: Omit<EmulatorOptions, 'projectDir' | 'project' | 'fetch'>
  /** The port of the workspace; `undefined` for 4310 or the next free one. */
  readonly port: number | undefined
  /** The address of the workspace, and further names of this machine. */
  readonly listen: Pick<ListenOptions, 'hostname' | 'allowHosts'>
  /** The port for a tunnel; `undefined` for none. */
  readonly tunnelPort: number | undefined
  readonly open: boolean
  readonly json: boolean
  /** Whether the command opens one issue and exits. */
  readonly once: boolean
  /** How long to wait for the endpoint before printing a hint, in milliseconds. @default 5000 */
  readonly hintAfterMs?: number
}
