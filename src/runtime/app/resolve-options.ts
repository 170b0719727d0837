import { encodePayload } from '../contract/encode.ts'
import { formatIssue } from '../contract/issues.ts'
import { DEFAULT_URI_SCHEMES, SCRIPT_URI_SCHEMES } from '../contract/uri.ts'
import { SCHEMA_VERSION } from '../contract/version.ts'
import { SidecardError } from '../internal/errors.ts'
import { forEachLevel, type Logger } from '../internal/logger.ts'
import {
  func,
  hasMethods,
  integer,
  invalidOption,
  isRecord,
  kind,
  listOf,
  milliseconds,
  oneOf,
  readOptions,
  record,
  required,
  string,
  text,
  withDefault,
} from '../internal/read-options.ts'
import type { Actions } from './action-support.ts'
import { type Auth, authKind } from './request/auth.ts'
import type { ReadBindings } from './request/environment.ts'
import { DEFAULT_MESSAGES, type Messages } from './messages.ts'
import type { FailureInfo, SidecardOptions } from './options.ts'

/** One JSON line per entry on the console. */
const CONSOLE: Logger = forEachLevel(
  // oxlint-disable-next-line no-console -- the console is where an app logs by default
  (level) => (fields) => console[level](JSON.stringify({ level, ...fields })),
)

/** A logger that writes nothing. */
const SILENT: Logger = forEachLevel(() => () => undefined)

const instruments = kind('an object with span or onResponse, or an array of them', (value) =>
  [value].flat().every((item) => hasMethods(item, 'span') || hasMethods(item, 'onResponse')),
)

/** A URI scheme as in RFC 3986, section 3.1. */
const SCHEME = /^[a-z][a-z0-9+.-]*$/i
const uriSchemes = kind(
  "an array of URI schemes, such as 'https', without a colon and without script schemes",
  (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (item) =>
        typeof item === 'string' &&
        SCHEME.test(item) &&
        !SCRIPT_URI_SCHEMES.includes(item.toLowerCase()),
    ),
)

/** Options with every default applied. Inside, the bindings are not typed. */
export type ResolvedOptions = ReturnType<typeof resolveOptions>

/** The functions in the options, which keep their `this`. */
interface UserFunctions {
  fetchData(ctx: object): unknown
  onError?: ((error: unknown, ctx: never, info: FailureInfo) => unknown) | undefined
}

/**
 * Reads options and applies the defaults, once, when the app is created.
 *
 * @throws {SidecardError} `invalid_options` with the option and what is expected
 */
export function resolveOptions(options: SidecardOptions, readBindings: ReadBindings) {
  const read = readOptions('sidecard', options, {
    header: required(
      kind(
        'an object with a title (header.title)',
        (value) => isRecord(value) && typeof value['title'] === 'string' && value['title'] !== '',
      ),
    ),
    name: text,
    auth: required(authKind),
    fetchData: required(func),
    middleware: withDefault(
      listOf('an array of Hono middleware', (item) => typeof item === 'function'),
      [],
    ),
    handshake: withDefault(oneOf('json', 'text'), 'json'),
    timeoutMs: withDefault(milliseconds(), 5_000),
    onError: func,
    logger: kind(
      'false, or an object with debug, info, warn and error',
      (value) => value === false || hasMethods(value, 'debug', 'info', 'warn', 'error'),
    ),
    logErrors: withDefault(oneOf('full', 'name'), 'full'),
    errors: withDefault(oneOf('payload', 'status'), 'payload'),
    limits: withDefault(record, {}),
    messages: withDefault(record, {}),
    instrument: withDefault(instruments, []),
    actions: kind('actions(…) of sidecard/actions', (value) => hasMethods(value, 'mount')),
    uriSchemes: withDefault(uriSchemes, DEFAULT_URI_SCHEMES),
  })
  const limits = readOptions(
    'sidecard',
    read.limits,
    {
      maxComponents: withDefault(integer(1, Infinity), 1_000),
      maxBodyBytes: withDefault(integer(1, Infinity), 256 * 1024),
    },
    'limits.',
  )
  if (read.actions !== undefined && read.name === undefined) {
    // The name defaults to the title, and a new title would lose all receipts.
    throw invalidOption(
      'sidecard',
      'name',
      'set in an app with actions, because their links contain it',
    )
  }
  const schemes = read.uriSchemes.map((name) => name.toLowerCase())
  const { logger } = read
  return {
    ...read,
    ...limits,
    auth: read.auth as Auth,
    actions: read.actions as Actions | undefined,
    name: read.name ?? read.header.title,
    /**
     * The JSON of a payload up to its first component, so that the header is only
     * validated once.
     */
    head: encodeHead(read.header, schemes),
    options: options as UserFunctions,
    readBindings,
    logger: logger === false ? SILENT : (logger ?? CONSOLE),
    /** Whether requests without problems are also logged. */
    logsEveryRequest: Boolean(logger),
    messages: readMessages(read.messages),
    instruments: [read.instrument].flat(),
    uriSchemes: schemes,
  }
}

/** Reads the messages. Each must have the type of its default. */
function readMessages(options: NonNullable<SidecardOptions['messages']>): Messages {
  const { ids, ...texts } = DEFAULT_MESSAGES
  const read = readOptions(
    'sidecard',
    options as Partial<Messages>,
    { ...kindsOf(texts), ids: withDefault(record, {}) },
    'messages.',
  )
  return { ...read, ids: readOptions('sidecard', read.ids, kindsOf(ids), 'messages.ids.') }
}

function kindsOf<M extends object>(
  defaults: M,
): { readonly [Name in keyof M]: ReturnType<typeof withDefault<M[Name]>> } {
  const kinds = Object.entries(defaults).map(([name, value]) => [
    name,
    withDefault(typeof value === 'function' ? func : string, value),
  ])
  return Object.fromEntries(kinds)
}

function encodeHead(header: object, schemes: readonly string[]): string {
  const payload = { version: SCHEMA_VERSION, header, components: [] }
  const encoded = encodePayload(payload, { uriSchemes: schemes })
  if (encoded.ok) return encoded.json.slice(0, -2)
  const [issue] = encoded.issues
  throw new SidecardError('invalid_options', `sidecard: ${formatIssue(issue!)}`)
}
