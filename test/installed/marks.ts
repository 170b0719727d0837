import type { Block } from './parse-blocks.ts'

/** Where a block runs: a project of a template, or the clone of the repository. */
export const PLACES = [
  'workers',
  'workers-d1',
  'workers-sample',
  'node',
  'node-postgres',
  'node-sqlite',
  'node-sample',
  'clone',
  'empty',
  'next-to-clone',
] as const

export type Place = (typeof PLACES)[number]

/**
 * The marks of a block, from the info string of its fence, which no renderer shows:
 * `sh in=node exit=1` or `sh not-run="needs Docker"`.
 */
export interface Marks {
  readonly in?: Place
  /** Where the reader pastes the code. */
  readonly file?: string
  /** The exit code of a shell block. @default 0 */
  readonly exit?: number
  /** A text in the output, in addition to what its commands always promise. */
  readonly shows?: string
  /** The outcome of an issue in an app. @default 'rendered' */
  readonly outcome?: string
  /** Why the block cannot run. */
  readonly notRun?: string
  /** Whether the code belongs to the program of the block before. */
  readonly continued?: boolean
}

const MARK = /([\w-]+)(?:=(?:"([^"]*)"|(\S+)))?/g

/** Reads the marks of a block. @throws for a mark that does not exist */
export function readMarks({ page, line, info }: Block): Marks {
  const marks: Record<string, unknown> = {}
  for (const [, name = '', quoted, bare] of info.matchAll(MARK)) {
    const value = quoted ?? bare
    if (name === 'continued' && value === undefined) marks['continued'] = true
    else if (name === 'in' && PLACES.some((place) => place === value)) marks['in'] = value
    else if (name === 'exit' && /^\d$/.test(value ?? '')) marks['exit'] = Number(value)
    else if (name === 'not-run' && value) marks['notRun'] = value
    else if ((name === 'file' || name === 'shows' || name === 'outcome') && value)
      marks[name] = value
    else throw new Error(`${page}, line ${line}: unknown mark "${name}" or value.`)
  }
  return marks
}
