/** A structured log line: flat, JSON-safe, without values of the request. */
export type LogFields = Readonly<Record<string, unknown>>

/**
 * Where log lines go. Each call has one argument, an object with a `msg`: what
 * pino takes as it is, and what `console` prints whole. A logger that throws or
 * rejects is ignored.
 */
export interface Logger {
  debug(fields: LogFields): void
  info(fields: LogFields): void
  warn(fields: LogFields): void
  error(fields: LogFields): void
}

export type LogLevel = keyof Logger

/* oxlint-disable no-console -- the console is where an app logs unless told otherwise */
/** One JSON line an entry on the console. */
export const consoleLogger: Logger = {
  debug: (fields) => console.debug(JSON.stringify({ level: 'debug', ...fields })),
  info: (fields) => console.info(JSON.stringify({ level: 'info', ...fields })),
  warn: (fields) => console.warn(JSON.stringify({ level: 'warn', ...fields })),
  error: (fields) => console.error(JSON.stringify({ level: 'error', ...fields })),
}
/* oxlint-enable no-console */

/** Logs without ever failing the request that is logged. */
export function writeLog(logger: Logger, level: LogLevel, fields: LogFields): void {
  try {
    const written: unknown = logger[level](fields)
    if (written instanceof Promise) written.catch(() => undefined)
  } catch {
    // A broken logger must not cost the agent an answer.
  }
}
