import type { CodeGenerator } from '../service/codes.ts'
import type { SendRequest } from '../service/target.ts'
import { describeUnknownName } from '../internal/unknown-name.ts'
import { SidecardError } from '../internal/errors.ts'
import { DATASET_NAMES } from './dataset/datasets.ts'
import type { DatasetInput } from './dataset/parse-dataset.ts'
import type { PresetInput } from './presets.ts'
import type { Sleep } from './sleep.ts'

/** Options of `createEmulator()`. */
export interface EmulatorOptions {
  /** The database file, which persists the data. @default ':memory:' */
  readonly database?: string
  /**
   * The initial data of a new database: the name of a built-in data set, or your
   * own data set. @default 'default'
   */
  readonly dataset?: (typeof DATASET_NAMES)[number] | DatasetInput
  /** Named IDs that the workspace offers. @default [] */
  readonly presets?: readonly PresetInput[]
  /**
   * The folder of your project, in which fixtures and tests are saved and source
   * maps are read. @default none
   */
  readonly projectDir?: string
  /**
   * Rejects undocumented API requests. Otherwise, a response header reports them.
   * @default false
   */
  readonly strict?: boolean
  /** The bearer token of the API. @default a random one for each run */
  readonly accessToken?: string
  /** Timeout per response of an app, in milliseconds, from 1. @default 6000 (A7) */
  readonly timeoutMs?: number
  /** A clock in milliseconds. @default Date.now */
  readonly now?: () => number
  /** Waits for faults and slow readers. @default on the real clock */
  readonly sleep?: Sleep
  /** Creates handshake codes. @default random */
  readonly codes?: CodeGenerator
  /** Sends requests to the apps' URLs. @default globalThis.fetch */
  readonly fetch?: SendRequest
}

/** Options for `listen()` of an emulator. */
export interface ListenOptions {
  /** 0 picks a free port. @default 0 */
  readonly port?: number
  /**
   * The address to bind. With an address other than loopback, the emulator and
   * the data of its apps are accessible from the network.
   * @default '127.0.0.1'
   */
  readonly hostname?: string
}

const NAMES: Readonly<Record<keyof EmulatorOptions, true>> = {
  database: true,
  dataset: true,
  presets: true,
  projectDir: true,
  strict: true,
  accessToken: true,
  timeoutMs: true,
  now: true,
  sleep: true,
  codes: true,
  fetch: true,
}

/**
 * Rejects unknown options and invalid values.
 *
 * @throws {SidecardError} `invalid_options`
 */
export function assertOptions(options: EmulatorOptions): void {
  if (typeof options !== 'object' || options === null) throw invalid('options must be an object.')
  const problem = describeUnknownName('option', options, Object.keys(NAMES))
  if (problem !== undefined) throw invalid(problem)
  const { dataset, timeoutMs, accessToken } = options
  if (typeof dataset === 'string' && !DATASET_NAMES.includes(dataset)) {
    throw invalid(`dataset must be one of ${DATASET_NAMES.join(', ')}, or an object.`)
  }
  if (timeoutMs !== undefined && !(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw invalid(`timeoutMs must be a number from 1 to ${MAX_TIMEOUT_MS}.`)
  }
  if (accessToken !== undefined && !/^[\x21-\x7E]+$/.test(accessToken)) {
    throw invalid('accessToken must be printable ASCII without spaces.')
  }
}

/** The maximum delay of a timer. */
const MAX_TIMEOUT_MS = 2_147_483_647

function invalid(problem: string): SidecardError {
  return new SidecardError('invalid_options', `createEmulator(): ${problem}`)
}
