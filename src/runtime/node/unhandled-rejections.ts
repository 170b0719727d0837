import { describeReason } from './describe-reason.ts'
import type { ServeOptions } from './options.ts'

type Mode = NonNullable<ServeOptions['unhandledRejections']>

const MARK = Symbol.for('sidecard.unhandled-rejections')

/** The modes of all running servers. */
const modes: Mode[] = []

/**
 * While a server runs, logs rejections that no code handles, instead of ending the
 * process. With `'exit'`, there is no handler, so that Node ends the process.
 *
 * @returns a function that removes the server again
 */
export function handleUnhandledRejections(mode: Mode): () => void {
  modes.push(mode)
  update()
  return () => {
    modes.splice(modes.indexOf(mode), 1)
    update()
  }
}

Object.assign(log, { [MARK]: true })

function update(): void {
  process.off('unhandledRejection', log)
  if (modes.length > 0 && !modes.includes('exit')) process.on('unhandledRejection', log)
}

function log(reason: unknown): void {
  const handlers = process.listeners('unhandledRejection')
  // The program's own handlers take precedence. If several copies of this package are loaded, the
  // first one reports.
  if (handlers.some((handler) => !(MARK in handler)) || handlers[0] !== log) return
  process.stderr.write(
    `sidecard: A promise was not awaited: add await. It rejected with ${describeReason(reason)}\n`,
  )
}
