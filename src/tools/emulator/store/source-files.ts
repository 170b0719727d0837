import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import launchEditor from 'launch-editor'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import {
  integer,
  readOptions,
  required,
  text,
  withDefault,
} from '../../../runtime/internal/read-options.ts'
import type { CodeFrame, SourcePosition } from '../protocol/exchanges.ts'
import { isInside } from './is-inside.ts'

/** Opens `file:line:column` in an editor, and reports if it cannot. */
type LaunchEditor = (file: string, editor: undefined, onError: () => void) => void

/** Matches scripts. Other files, such as `.env`, may contain secrets. */
const SCRIPT = /\.[cm]?[jt]sx?$/
const MAX_BYTES = 1_048_576
const CONTEXT = 3

const POSITION_KINDS = {
  file: required(text),
  line: required(integer(1, Infinity)),
  column: withDefault(integer(1, Infinity), 1),
}

/** How long to wait for a failure of the editor, which it reports soon or never. */
const EDITOR_WAIT_MS = 1_000

/** Opens the sources of the user's project, for the errors in the workspace. */
export function openSources(directory: string, launch: LaunchEditor = launchEditor) {
  function resolve(file: string): string {
    try {
      const root = realpathSync(directory)
      const path = realpathSync(join(root, file))
      const isScript = SCRIPT.test(path) && statSync(path).size <= MAX_BYTES
      if (isScript && isInside(path, root)) return path
    } catch {
      // The file does not exist.
    }
    throw new SidecardError('not_found', 'The project has no script with this path.')
  }

  return {
    /**
     * Returns the lines around a position.
     *
     * @throws {SidecardError} `invalid_options`, `not_found` for anything that is not a script inside the project
     */
    frame(position: SourcePosition): CodeFrame {
      const { file, line } = readOptions('frame', position, POSITION_KINDS)
      const lines = readFileSync(resolve(file), 'utf8').split(/\r?\n/)
      const first = Math.max(1, line - CONTEXT)
      return { first, lines: lines.slice(first - 1, line + CONTEXT) }
    },
    /**
     * Opens a position in the editor that is running, or in `LAUNCH_EDITOR`.
     *
     * @throws {SidecardError} as above, and `no_editor`
     */
    async openInEditor(position: SourcePosition): Promise<void> {
      const { file, line, column } = readOptions('openInEditor', position, POSITION_KINDS)
      const path = resolve(file)
      const failed = await new Promise<boolean>((done) => {
        launch(`${path}:${line}:${column}`, undefined, () => done(true))
        setTimeout(() => done(false), EDITOR_WAIT_MS).unref()
      })
      if (failed) {
        const message =
          'No editor was found. Start your editor, or set LAUNCH_EDITOR to its command.'
        throw new SidecardError('no_editor', message)
      }
    },
  }
}
