import { readFileSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import type { CliContext } from '../io.ts'

const CTRL_C = '\u0003'
const CTRL_Z = '\u001A'

/**
 * Calls functions for pressed keys, if standard input is a terminal.
 *
 * @param keys the function of each key, by its character
 * @returns a function that stops this
 */
export function listenToKeys(
  { stdin }: CliContext,
  keys: Readonly<Record<string, () => unknown>>,
): () => void {
  // A shell stops a background process that changes the terminal's settings.
  if (!(stdin instanceof ReadStream) || isInBackground()) return () => undefined
  const listen = () => void stdin.setRawMode(true)
  const onData = (data: Buffer) => {
    for (const key of data.toString()) {
      if (key === CTRL_C) process.kill(process.pid, 'SIGINT')
      else if (key === CTRL_Z) {
        stdin.setRawMode(false)
        process.kill(process.pid, 'SIGTSTP')
      } else keys[key.toLowerCase()]?.()
    }
  }
  listen()
  process.on('SIGCONT', listen)
  stdin.on('data', onData).resume()
  return () => {
    process.off('SIGCONT', listen)
    stdin.off('data', onData).pause()
    stdin.setRawMode(false)
  }
}

/** Returns whether this is a background process, which only Linux shows. */
function isInBackground(): boolean {
  try {
    const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return group !== foreground
  } catch {
    return false
  }
}
