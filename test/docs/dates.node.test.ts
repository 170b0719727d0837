import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFolder } from '../helpers/read-folder.ts'
import { BLOCKS } from '../installed/pages.ts'
import { placeOf } from '../installed/parse-blocks.ts'
import { root } from '../installed/root.ts'

/** Dates that cannot be misread: a literal, now, seconds as milliseconds, a valid field value. */
const CLEAR = /^(?:'[^']*'|Date\.now\(\).*|\w+ \* 1_?000|due|)$/

const FOLDERS = ['recipes', 'templates', 'examples']

test('no recipe, template, example or page guesses the meaning of a date', () => {
  const files = FOLDERS.flatMap((folder) =>
    Object.entries(readFolder(join(root, folder))).map(
      ([path, text]) => [`${folder}/${path}`, text] as const,
    ),
  ).filter(([path]) => path.endsWith('.ts'))
  const blocks = BLOCKS.map(({ block }) => [placeOf(block), block.code] as const)
  const guesses = [...files, ...blocks].flatMap(([place, code]) => {
    const dates = [...code.matchAll(/new Date\(((?:[^()]|\([^()]*\))*)\)|\bcoerce\.date\(/g)]
    const unclear = dates.filter(([, argument]) => !CLEAR.test(argument?.trim() ?? '?'))
    return unclear.map(([date]) => `${place}: ${date}`)
  })
  expect([files.length > 50, blocks.length > 80, guesses]).toEqual([true, true, []])
})
