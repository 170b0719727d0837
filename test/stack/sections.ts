import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A fenced block: code for a file, or commands. */
interface Block {
  readonly language: string
  /** The file that the reader writes, from the mark `file=`. */
  readonly file: string | undefined
  readonly info: string
  readonly code: string
}

/** A heading of the page, and the blocks below it. */
export interface Section {
  readonly title: string
  readonly blocks: readonly Block[]
}

/** Reads the sections of a page. The first one is named after the page. */
export function readSections(page: URL): readonly Section[] {
  return readFileSync(page, 'utf8')
    .split(/^(?=##? )/m)
    .filter((part) => part.trim() !== '')
    .map((part) => ({
      title: /^##? (.+)$/m.exec(part)?.[1] ?? '',
      blocks: [...part.matchAll(/^```(\w+)(.*)\n([^]*?)^```$/gm)].map(
        ([, language = '', info = '', code = '']) => ({
          language,
          file: /\bfile=(\S+)/.exec(info)?.[1],
          info: info.trim(),
          code,
        }),
      ),
    }))
}

/** Writes the files of a section into a folder. */
export function writeFiles({ blocks }: Section, folder: string): void {
  for (const { file, code } of blocks) {
    if (file === undefined) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), code)
  }
}

/** Returns the packages of the `npm install` commands of sections. */
export function packagesOf(sections: readonly Section[]): readonly string[] {
  const commands = sections.flatMap(({ blocks }) =>
    blocks.flatMap(({ language, info, code }) =>
      language === 'sh' && /^(?:in=\S+)?$/.test(info)
        ? code.replaceAll('\\\n', ' ').split('\n')
        : [],
    ),
  )
  const words = commands.flatMap(
    (command) => command.match(/^npm install (.+)$/)?.[1]?.split(/\s+/) ?? [],
  )
  return [...new Set(words)].filter((name) => name !== 'sidecard')
}

/** Returns a command of a section as words: that of the block with a mark. */
export function commandOf({ blocks }: Section, mark: 'install' | 'server'): readonly string[] {
  const command = blocks.find(({ info }) => info === mark)?.code.trim()
  return command?.split(' ') ?? ['node', 'src/server.ts']
}
