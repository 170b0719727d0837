import type { LogFields, Logger, LogLevel } from '../internal/logger.ts'

/* oxlint-disable no-console -- the console is where an app logs by default */
const logTo = (level: LogLevel) => (fields: LogFields) =>
  console[level](JSON.stringify({ level, ...fields }))

/** One JSON line per entry on the console. */
export const CONSOLE: Logger = {
  debug: logTo('debug'),
  info: logTo('info'),
  warn: logTo('warn'),
  error: logTo('error'),
}
/* oxlint-enable no-console */

/** No log. */
export const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }
