import { encodePayload } from '../contract/encode.ts'
import { DEFAULT_URI_SCHEMES } from '../contract/uri.ts'
import { SCHEMA_VERSION } from '../contract/version.ts'
import { SidecardError } from '../internal/errors.ts'
import type { LogFields, Logger, LogLevel } from '../internal/logger.ts'
import { DEFAULT_MESSAGES } from './messages.ts'
import type { ResolvedOptions, SidecardOptions } from './options.ts'
import {
  type Check,
  hasMethods,
  isCount,
  isFunction,
  isListOf,
  isRecord,
  validateOptions,
} from './validate-options.ts'

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/* oxlint-disable no-console -- the console is where an app logs by default */
const logToConsole = (level: LogLevel) => (fields: LogFields) =>
  console[level](JSON.stringify({ level, ...fields }))

/** One JSON line per entry on the console. */
const CONSOLE: Logger = {
  debug: logToConsole('debug'),
  info: logToConsole('info'),
  warn: logToConsole('warn'),
  error: logToConsole('error'),
}
/* oxlint-enable no-console */

/** The longest delay of a timer, on every runtime. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

const isOneOf =
  (...values: unknown[]) =>
  (value: unknown) =>
    values.includes(value)
/** RFC 3986, section 3.1. */
const SCHEME = /^[a-z][a-z0-9+.-]*$/i
const POSITIVE_INTEGER: Check = [isCount, 'a positive integer']

const REQUIRED = ['header', 'auth', 'fetchData']

const CHECKS = {
  header: [
    (value) => isRecord(value) && typeof value['title'] === 'string' && value['title'] !== '',
    'an object with a title (header.title)',
  ],
  name: [(value) => typeof value === 'string' && value.trim() !== '', 'a non-empty string'],
  auth: [hasMethods('authenticate'), 'secretHeader(…) or noAuth()'],
  fetchData: [isFunction, 'a function'],
  middleware: [isListOf(isFunction), 'an array of Hono middleware'],
  handshake: [isOneOf('json', 'text'), "'json' or 'text'"],
  timeoutMs: [
    (value) => isCount(value) && (value as number) <= MAX_TIMEOUT_MS,
    `a positive integer up to ${MAX_TIMEOUT_MS}`,
  ],
  onError: [isFunction, 'a function'],
  logger: [
    (value) => value === false || hasMethods('debug', 'info', 'warn', 'error')(value),
    'false, or an object with debug, info, warn and error',
  ],
  logErrors: [isOneOf('full', 'name'), "'full' or 'name'"],
  errors: [isOneOf('payload', 'status'), "'payload' or 'status'"],
  limits: [isRecord, 'an object'],
  messages: [isRecord, 'an object'],
  instrument: [
    (value) =>
      isListOf((item) => hasMethods('span')(item) || hasMethods('onResponse')(item))(
        [value].flat(),
      ),
    'an object with span or onResponse, or an array of them',
  ],
  cache: [hasMethods('fetch'), 'payloadCache(…) of sidecard/cache'],
  uriSchemes: [
    isListOf((item) => typeof item === 'string' && SCHEME.test(item)),
    "an array of URI schemes, such as 'https', without a colon",
  ],
} satisfies Record<keyof SidecardOptions, Check>

const LIMIT_CHECKS = { maxComponents: POSITIVE_INTEGER, maxBodyBytes: POSITIVE_INTEGER }

const MESSAGE_CHECKS = { ...typesOf(DEFAULT_MESSAGES), ids: [isRecord, 'an object'] as const }

/** Returns checks that each option has the type of its default. */
function typesOf(defaults: object): Record<string, Check> {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, text]) => [
      name,
      [(value) => typeof value === typeof text, `a ${typeof text}`] satisfies Check,
    ]),
  )
}

/**
 * Validates options and applies the defaults, once, when the app is created.
 *
 * @throws {SidecardError} `invalid_options` with the option and what is expected
 */
export function resolveOptions<T>(options: SidecardOptions<T>): ResolvedOptions<T> {
  if (!isRecord(options)) throw invalidOptions('pass an object with header, auth and fetchData.')
  validateOptions('sidecard', options, CHECKS, { required: REQUIRED })
  const { limits = {}, messages = {}, logger, instrument = [] } = options
  validateOptions('sidecard', limits, LIMIT_CHECKS, { prefix: 'limits.' })
  validateOptions('sidecard', messages, MESSAGE_CHECKS, { prefix: 'messages.' })
  validateOptions('sidecard', messages.ids ?? {}, typesOf(DEFAULT_MESSAGES.ids), {
    prefix: 'messages.ids.',
  })
  const { maxComponents = 1_000, maxBodyBytes = 256 * 1024 } = limits
  const uriSchemes = (options.uriSchemes ?? DEFAULT_URI_SCHEMES).map((name) => name.toLowerCase())
  return {
    name: options.name ?? options.header.title,
    head: encodeHead(options.header, uriSchemes),
    auth: options.auth,
    // Methods of the options object keep their `this`.
    fetchData: (ctx) => options.fetchData(ctx),
    onError: (...args) => options.onError?.(...args),
    middleware: options.middleware ?? [],
    handshake: options.handshake ?? 'json',
    timeoutMs: options.timeoutMs ?? 5_000,
    logger: logger === false ? SILENT : (logger ?? CONSOLE),
    logsEveryRequest: logger !== undefined && logger !== false,
    logErrors: options.logErrors ?? 'full',
    errors: options.errors ?? 'payload',
    maxComponents,
    maxBodyBytes,
    messages: {
      ...withDefaults(DEFAULT_MESSAGES, { ...messages, ids: undefined }),
      ids: withDefaults(DEFAULT_MESSAGES.ids, messages.ids),
    },
    instruments: [instrument].flat(),
    cache: options.cache,
    uriSchemes,
  }
}

function encodeHead(header: object, uriSchemes: readonly string[]): string {
  const payload = { version: SCHEMA_VERSION, header, components: [] }
  const encoded = encodePayload(payload, { uriSchemes })
  if (encoded.ok) return encoded.json.slice(0, -2)
  const [issue] = encoded.issues
  throw invalidOptions(`${issue?.path}: ${issue?.message}. ${issue?.fix}`)
}

function withDefaults<M extends object>(
  defaults: M,
  options: { readonly [K in keyof M]?: M[K] | undefined } = {},
): M {
  const defined = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(defined) }
}

function invalidOptions(problem: string): SidecardError {
  return new SidecardError('invalid_options', `sidecard: ${problem}`)
}
