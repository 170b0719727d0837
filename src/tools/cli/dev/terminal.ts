import { stripVTControlCharacters } from 'node:util'
import type { Palette } from '../../internal/palette.ts'
import { parseLine } from '../../workspace/parts/console/parse-line.ts'
import { stripAnsi } from '../../workspace/parts/console/strip-ansi.ts'
import type { CliContext } from '../io.ts'

type Stream = 'stdout' | 'stderr'

/** A color of the palette. */
export type Tone = Exclude<keyof Palette, 'bold'>

/** The terminal, with one line per event. Consecutive equal lines become one line with a count. */
export interface Terminal extends ReturnType<typeof createTerminal> {}

const TONES: Readonly<Record<string, Tone>> = { error: 'red', warn: 'yellow' }
const NAME_WIDTH = 11

/** Matches wrangler's lines about requests, most of which are ours, and about a missing network. */
const NOISE =
  /^\[wrangler:info\] GET |^\[wrangler:warn\] Unable to fetch the `Request\.cf`|ENOTFOUND workers\.cloudflare\.com|^\s+at GetAddrInfoReqWrap/

/** Matches wrangler's prefix of a Worker's errors and warnings. */
const MARK = /^\S+ \[(?:ERROR|WARNING)\] (?=\{)/

/**
 * Creates the terminal of a session. If it is not interactive, lines have neither
 * times nor columns.
 *
 * @param isOwnRequest whether log lines may be about a request that is reported as
 * an event
 * @param isJson whether standard output is for events as JSON
 */
export function createTerminal(io: CliContext, isOwnRequest: () => boolean, isJson = false) {
  const { palette, stdout, env } = io
  const isInteractive = !isJson && stdout.isTTY === true && !env['CI'] && env['TERM'] !== 'dumb'
  let last = { key: '', count: 0 }

  /** @param key lines with the same key are folded; without a key, a line never is */
  function print(stream: Stream, line: string, key?: string): void {
    const isRepeated = key !== undefined && key === last.key
    last = { key: key ?? '', count: isRepeated ? last.count + 1 : 1 }
    const fits = stripVTControlCharacters(line).length + 8 < (stdout.columns ?? 80)
    const again = isRepeated && isInteractive && fits
    const number = again ? palette.dim(`  ×${last.count}`) : ''
    io[stream].write(`${again ? '\u001B[1A\u001B[2K' : ''}${line}${number}\n`)
  }

  /** Prints an event: its name in a color, and its parts. @param same the key of events that are folded */
  function event(
    name: string,
    tone: Tone,
    parts: readonly (string | undefined)[],
    same = `${name} ${parts.filter((part) => part?.endsWith(' ms') !== true).join('  ')}`,
  ): void {
    const rest = parts.filter((part) => part !== undefined && part !== '').join('  ')
    const time = new Date().toTimeString().slice(0, 8)
    if (!isInteractive) return print('stdout', `${palette[tone](name)}  ${rest}`)
    const head = `${palette.dim(time)}  ${palette[tone](name.padEnd(NAME_WIDTH))}`
    print('stdout', `${head}  ${rest}`, same)
  }

  function log(stream: Stream, text: string): void {
    const plain = stripAnsi(text)
    const line = parseLine(plain.replace(MARK, ''))
    if (isInteractive && (plain.trim() === '' || NOISE.test(plain))) return
    if (line === null) return print(stream, isInteractive ? palette.dim(plain) : text, plain)
    const { level, message, fields } = line
    const isRequest = message === 'sidecard request'
    // Handshakes that detect a reload are not shown, and failures have their own event.
    if (isRequest && (level === 'debug' || isOwnRequest())) return
    const { status = '', outcome = '' } = Object.fromEntries(fields)
    // A check in a different terminal sends many invalid requests.
    if (isRequest && level === 'warn' && status.startsWith('4')) {
      return event('rejected', 'yellow', [status, outcome], 'rejected')
    }
    const shown = fields.filter(([name]) => !isRequest || name !== 'app')
    const details = palette.dim(shown.map(([name, value]) => `${name}=${value}`).join(' '))
    event(level ?? 'log', TONES[level ?? ''] ?? 'dim', [message, details])
  }

  return {
    /** Whether a person reads the terminal, which then has times, columns and keys. */
    isInteractive,
    event,
    /** Prints text unchanged. */
    write(stream: Stream, text: string): void {
      last = { key: '', count: 0 }
      io[stream].write(text)
    },
    /** Prints complete lines of the command: log lines in JSON as events, and others dimmed. */
    output(stream: Stream, text: string): void {
      if (isJson) return void io.stderr.write(text)
      for (const line of text.replace(/\r?\n$/, '').split(/\r?\n/)) log(stream, line)
    },
  }
}
