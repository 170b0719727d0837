import { isLoopback } from '../../../runtime/internal/is-loopback.ts'
import { isThenable } from '../../../runtime/internal/hostile-values.ts'
import { type CodeGenerator, randomCode } from '../../service/endpoint/codes.ts'
import { ENDPOINT_KINDS } from '../../service/endpoint/endpoint-options.ts'
import type { SendRequest } from '../../service/endpoint/target.ts'
import {
  flag,
  func,
  integer,
  isRecord,
  kind,
  listOf,
  type ReadOptions,
  text,
  withDefault,
} from '../../../runtime/internal/read-options.ts'
import type { DatasetInput } from '../dataset/parse-dataset.ts'
import { sleep as realSleep, type Sleep } from '../faults/sleep.ts'

/** Options of `createEmulator()`. */
export interface EmulatorOptions {
  /** The database file, which persists the data. @default ':memory:' */
  readonly database?: string
  /**
   * Your own customers and issues, as the initial data of a new database. @default
   * one issue for each customer of the project, or a built-in data set
   */
  readonly dataset?: DatasetInput | undefined
  /**
   * The project: the content of `sidecard.json`. The workspace offers its customers
   * and states.
   * @default none
   */
  readonly project?: object
  /**
   * Adds entries to `sidecard.local.json`, and returns the new project. The entries
   * have the form of that file. @default the workspace cannot save states
   */
  readonly saveToProject?: (entries: object) => Promise<object>
  /**
   * The folder of your project, in which fixtures and tests are saved and source
   * maps are read. @default none
   */
  readonly projectDir?: string
  /**
   * The URL of the documentation site. Share… in the workspace links to its
   * playground. @default `site` in Sidecard's package.json; without a URL, Share… is
   * hidden
   */
  readonly siteUrl?: string
  /**
   * Rejects undocumented API requests. Otherwise, a response header reports them.
   * @default false
   */
  readonly strict?: boolean
  /** The bearer token of the API. @default a random one for each run */
  readonly accessToken?: string
  /** Timeout per response of an app, in milliseconds: 1 to 2,147,483,647. @default 6000 (A7) */
  readonly timeoutMs?: number
  /** Returns the time in milliseconds. @default Date.now */
  readonly now?: () => number
  /** Waits while a fault delays or throttles a response. @default on the real clock */
  readonly sleep?: Sleep
  /** Creates handshake codes. @default random */
  readonly codes?: CodeGenerator
  /** Sends requests to the apps' URLs. @default globalThis.fetch */
  readonly fetch?: SendRequest
}

/** Options of `listen()` of an emulator. */
export interface ListenOptions {
  /** The port; 0 picks a free one. @default 0 */
  readonly port?: number
  /**
   * The address to bind. With an address other than loopback, everything except the
   * API requires the `token` of the listener.
   * @default '127.0.0.1'
   */
  readonly hostname?: string
  /** Further names of this machine that the `Host` header may contain. @default [] */
  readonly allowHosts?: readonly string[]
}

/**
 * Returns whether a value is the URL of a site that others can open, and not one
 * on this machine.
 */
function isSite(value: unknown): boolean {
  const { protocol, hostname } = URL.parse(String(value)) ?? { protocol: '', hostname: '' }
  return protocol === 'https:' && !isLoopback(hostname)
}

/** The kinds of {@link EmulatorOptions}, with their defaults. */
export const EMULATOR_KINDS = {
  database: withDefault(text, ':memory:'),
  // The content is validated later, with the code `invalid_dataset`.
  dataset: kind<DatasetInput>(
    'an object',
    (value) => typeof value !== 'string' && !isThenable(value),
  ),
  project: kind<object>('an object', isRecord),
  saveToProject: kind<(entries: object) => Promise<object>>(func.expected, func.accepts),
  projectDir: text,
  siteUrl: kind<string>('an https URL of another machine', isSite),
  strict: withDefault(flag, false),
  accessToken: kind<string>(
    'printable ASCII without spaces',
    (value) => typeof value === 'string' && /^[\x21-\x7E]+$/.test(value),
  ),
  timeoutMs: ENDPOINT_KINDS.timeoutMs,
  now: ENDPOINT_KINDS.now,
  sleep: withDefault<Sleep>(func, realSleep),
  codes: withDefault<CodeGenerator>(func, randomCode),
  fetch: withDefault<SendRequest>(func, (request) => fetch(request)),
}

/** {@link EmulatorOptions} with defaults applied. */
export type EmulatorSettings = ReadOptions<EmulatorOptions, typeof EMULATOR_KINDS>

/** The kinds of {@link ListenOptions}, with their defaults. */
export const LISTEN_KINDS = {
  port: withDefault(integer(0, 65_535), 0),
  hostname: withDefault(text, '127.0.0.1'),
  allowHosts: withDefault(
    listOf<string>('an array of host names', (name) => /^[\w.-]+$/.test(String(name))),
    [],
  ),
}
