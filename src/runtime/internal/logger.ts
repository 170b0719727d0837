import { callUserCode } from './user-code.ts'

/** The fields of a structured log line: flat, JSON-safe, without request values. */
export type LogFields = Readonly<Record<string, unknown>>

/**
 * The destination of log lines. Each call has one argument, an object with a
 * `msg`, which suits both pino and `console`. Errors of a logger are ignored.
 */
export interface Logger {
  debug(fields: LogFields): void
  info(fields: LogFields): void
  warn(fields: LogFields): void
  error(fields: LogFields): void
}

export type LogLevel = keyof Logger

/** Creates a function for each level. */
export function forEachLevel<F>(create: (level: LogLevel) => F): { readonly [L in LogLevel]: F } {
  return {
    debug: create('debug'),
    info: create('info'),
    warn: create('warn'),
    error: create('error'),
  }
}

/** Writes a log line. A logger that fails must not affect the response. */
export function writeLog(logger: Logger, level: LogLevel, fields: LogFields): void {
  callUserCode(() => logger[level](fields))
}
