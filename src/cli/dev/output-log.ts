import type { OutputChunk } from './dev-server.ts'

/** The most recent output of the dev command. */
export interface OutputLog {
  append(chunk: OutputChunk): void
  /** Handles the end of the command: its last line may be incomplete. */
  end(): void
  /** Returns the stored output after a position. @default from the beginning */
  text(since?: number): string
  /** The position after the most recent output, in characters since the start. */
  readonly position: number
}

const MAX_CHARACTERS = 200_000

/** Receives complete lines, because output arrives in arbitrary pieces. */
export type OnLines = (stream: OutputChunk['stream'], text: string) => void

/** Creates an empty log. `onLines` receives the lines of each stream when they are complete. */
export function createOutputLog(onLines: OnLines): OutputLog {
  let buffer = ''
  let position = 0
  const unfinished = { stdout: '', stderr: '' }
  return {
    append({ stream, text }) {
      buffer = (buffer + text).slice(-MAX_CHARACTERS)
      position += text.length
      const pending = unfinished[stream] + text
      const end = pending.lastIndexOf('\n') + 1
      // An endless line is split, so that it does not grow without limit.
      const complete = pending.length - end > MAX_CHARACTERS ? pending : pending.slice(0, end)
      unfinished[stream] = pending.slice(complete.length)
      if (complete !== '') onLines(stream, complete)
    },
    end() {
      for (const stream of ['stdout', 'stderr'] as const) {
        if (unfinished[stream] !== '') onLines(stream, `${unfinished[stream]}\n`)
        unfinished[stream] = ''
      }
    },
    text: (since = 0) => buffer.slice(Math.max(0, buffer.length - (position - since))),
    get position() {
      return position
    },
  }
}
