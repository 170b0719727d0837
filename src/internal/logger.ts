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

/** Logs without ever failing what is logged. */
export function writeLog(logger: Logger, level: LogLevel, fields: LogFields): void {
  try {
    const written: unknown = logger[level](fields)
    if (written instanceof Promise) written.catch(() => undefined)
  } catch {
    // A broken logger must not cost anybody an answer.
  }
}
