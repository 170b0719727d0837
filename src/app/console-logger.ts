import { forEachLevel, type Logger } from '../internal/logger.ts'

/** One JSON line per entry on the console. */
export const CONSOLE: Logger = forEachLevel(
  // oxlint-disable-next-line no-console -- the console is where an app logs by default
  (level) => (fields) => console[level](JSON.stringify({ level, ...fields })),
)

/** No log. */
export const SILENT: Logger = forEachLevel(() => () => undefined)
