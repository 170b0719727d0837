import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { isRecording } from 'sidecard/testing'
import { type Block, PAGES, readBlocks, root } from './blocks.ts'

const run = promisify(execFile)
const LANGUAGES = ['ts', 'tsx', 'typescript']
const UNCHECKED = /^no-check: \w.{5,}$/

const examples = PAGES.flatMap(readBlocks).filter(({ language }) => LANGUAGES.includes(language))

/** A block that continues the previous one is part of the same program. */
function toPrograms(blocks: readonly Block[]): Block[] {
  const programs: Block[] = []
  for (const block of blocks) {
    const last = programs.at(-1)
    if (block.info === 'continued' && last?.page === block.page) {
      programs[programs.length - 1] = { ...last, code: `${last.code}\n${block.code}` }
    } else programs.push(block)
  }
  return programs
}

test('every TypeScript example states how it is checked', () => {
  expect(examples.length).toBeGreaterThan(30)
  const unclear = examples.filter(({ language, info }) => {
    return language !== 'ts' || !(info === '' || info === 'continued' || UNCHECKED.test(info))
  })
  expect(unclear).toEqual([])
})

test('complete examples contain no ellipsis', () => {
  const pasted = examples.filter(({ info }) => !UNCHECKED.test(info))
  expect(pasted.filter(({ code }) => code.includes('…'))).toEqual([])
})

test('every TypeScript example type-checks', async () => {
  const scratch = join(root, '.scratch')
  mkdirSync(scratch, { recursive: true })
  const folder = mkdtempSync(join(scratch, 'docs-'))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  try {
    // Examples import modules of the reader, such as the app and the queries.
    for (const name of ['src', 'src/fixtures']) mkdirSync(join(folder, name))
    copyFileSync(join(root, 'test/docs/support/app.ts'), join(folder, 'src/app.ts'))
    copyFileSync(join(root, 'test/docs/support/accounts.ts'), join(folder, 'src/accounts.ts'))
    write('src/index.ts', "export { app as default } from './app.ts'\n")
    write('src/fixtures/acme.json', recordings().join(''))
    for (const { page, line, code } of toPrograms(
      examples.filter(({ info }) => !UNCHECKED.test(info)),
    )) {
      write(`src/${page.replaceAll('/', '-')}-line-${line}.ts`, `${code}\nexport {}\n`)
    }
    const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false, rootDir: root }
    const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['.'] }
    write('tsconfig.json', JSON.stringify(config))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const checked = await run(process.execPath, [tsc, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    expect(checked.stdout).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 120_000)

test('the recording in docs/testing.md is valid', () => {
  const [recording = ''] = recordings()
  expect(isRecording(JSON.parse(recording))).toBe(true)
})

function recordings(): string[] {
  return readBlocks('docs/testing.md')
    .filter(({ language }) => language === 'json')
    .map(({ code }) => code)
}
