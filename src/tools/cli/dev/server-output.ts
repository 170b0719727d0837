import { createBundleMap } from '../server/bundle-map.ts'
import {
  type CommandFailure,
  findCommandFailure,
  lastLines,
  reportsBuildFailure,
} from '../server/command-failure.ts'
import { isListening } from '../server/listening.ts'
import type { Session } from './session.ts'

const MAX_CHARACTERS = 200_000
/** How long the endpoint may take to listen after an error in the output. */
const ERROR_DELAY_MS = 500

/** What `createServerOutput()` reports. */
interface OutputListener {
  /** The command printed something that is not about a request. */
  readonly onOutput: () => void
  /** The output may contain a failure, which was printed at a time. */
  readonly onFailure: (at: number) => void
}

/** Collects the output of a command since the newest change, and finds failures in it. */
export function createServerOutput(
  { io, emulator, terminal, traffic, over, defer }: Session,
  endpoint: URL,
  { onOutput, onFailure }: OutputListener,
) {
  const bundle = createBundleMap(io.cwd)
  let text = ''
  let timer: NodeJS.Timeout | undefined
  defer(() => clearTimeout(timer))

  /**
   * Looks for a crash: a command in watch mode outlives the server that it runs, so
   * there is no other sign.
   */
  async function look(at: number): Promise<void> {
    if (reportsBuildFailure(text) || !(await isListening(endpoint))) onFailure(at)
  }

  return {
    /** Receives complete lines. */
    append(lines: string, stream: 'stdout' | 'stderr'): void {
      bundle.refresh()
      const mapped = bundle.toSource(lines)
      text = (text + mapped).slice(-MAX_CHARACTERS)
      if (!traffic.causesOutput()) onOutput()
      emulator.console.append({ stream, text: lines })
      // A check sends many invalid requests, whose output would hide everything else.
      if (emulator.console.list().at(-1)?.isOfCheck !== true) terminal.output(stream, mapped)
      clearTimeout(timer)
      const at = performance.now()
      if (!over.aborted) timer = setTimeout(() => void look(at), ERROR_DELAY_MS)
    },
    forget(): void {
      text = ''
    },
    hasBuildFailure: () => reportsBuildFailure(text),
    /** Returns the last error; `undefined` if no line looks like one. */
    findFailure: () => findCommandFailure(text, io.cwd),
    /** Returns the last lines, for a command that failed without a recognized error. */
    lastLines: (): CommandFailure => ({ location: undefined, excerpt: lastLines(text) }),
  }
}
