import { readFileSync } from 'node:fs'

/** A fenced block of a page. */
export interface Block {
  readonly page: string
  /** The line of the fence, from 1. */
  readonly line: number
  readonly language: string
  /** The rest of the info string: its marks. */
  readonly info: string
  readonly code: string
}

/** Returns the fenced blocks of a page. @param page its name in messages */
export function parseBlocks(page: string, text: string): readonly Block[] {
  return [...text.matchAll(/^```(\w+)(.*)\n([^]*?)^```$/gm)].map((match) => {
    const [, language = '', info = '', code = ''] = match
    const line = text.slice(0, match.index).split('\n').length
    return { page, line, language, info: info.trim(), code }
  })
}

/** Returns the fenced blocks of a file. */
export function readBlocks(folder: string, page: string): readonly Block[] {
  return parseBlocks(page, readFileSync(`${folder}/${page}`, 'utf8'))
}

/** Where a block is, for the name of a test. */
export function placeOf({ page, line }: Block): string {
  return `${page}, line ${line}`
}
