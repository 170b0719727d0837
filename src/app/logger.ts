import type { Logger } from '../internal/logger.ts'

/* oxlint-disable no-console -- the console is where an app logs unless told otherwise */
/** One JSON line an entry on the console. */
export const consoleLogger: Logger = {
  debug: (fields) => console.debug(JSON.stringify({ level: 'debug', ...fields })),
  info: (fields) => console.info(JSON.stringify({ level: 'info', ...fields })),
  warn: (fields) => console.warn(JSON.stringify({ level: 'warn', ...fields })),
  error: (fields) => console.error(JSON.stringify({ level: 'error', ...fields })),
}
/* oxlint-enable no-console */
