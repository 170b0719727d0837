import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sidecard } from 'sidecard'
import { createTestService } from 'sidecard/testing'
import { type Block, PAGES, readBlocks, root } from './blocks.ts'

const SECRET = 'a-secret-of-the-examples'
const ENV = { SIDECARD_SECRET: SECRET, KEY: SECRET, USAGE_WIDGET: 'wid_2' }

/** Blocks that declare code of the reader are only type-checked. The others also run. */
const examples = PAGES.flatMap(readBlocks).filter(
  ({ language, info, code }) => language === 'ts' && info === '' && !/^declare /m.test(code),
)
// The app in docs/guides/slow-sources.md needs an HTTP source and has a separate test.
const apps = examples.filter(
  ({ code }) =>
    /^export (default|const app =) sidecard/m.test(code) && code.includes('secretHeader('),
)
const labeled = (blocks: readonly Block[]) =>
  blocks.map((block) => [`${block.page}, line ${block.line}`, block] as const)

let folder = ''

beforeAll(() => {
  mkdirSync(join(root, '.scratch'), { recursive: true })
  folder = mkdtempSync(join(root, '.scratch/programs-'))
  for (const name of ['accounts.ts', 'app.ts']) {
    copyFileSync(join(root, 'test/docs/support', name), join(folder, name))
  }
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/index.ts'), "export { app as default } from '../app.ts'\n")
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function load({ page, line, code }: Block): Promise<Record<string, unknown>> {
  const file = join(folder, `${page.replaceAll(/\W/g, '-')}-${line}.ts`)
  // The page's `../src/index.ts` is next to the examples here.
  writeFileSync(file, code.replaceAll("'../src/", "'./src/"))
  return import(/* @vite-ignore */ pathToFileURL(file).href)
}

test('the README and the guides have apps that run', () => {
  expect(apps.map(({ page }) => page)).toEqual(
    expect.arrayContaining(['README.md', 'docs/guides/authentication.md', 'docs/guides/moving.md']),
  )
})

test.each(labeled(apps))('the app in %s connects and renders', async (_label, block) => {
  const { default: main, app } = await load(block)
  const [, header = ''] = /secretHeader\(\s*'([^']+)'/.exec(block.code) ?? []
  const service = createTestService((main ?? app) as Parameters<typeof createTestService>[0], {
    env: ENV,
    headers: { [header]: SECRET },
  })
  const opened = await service.openIssue({ account_id: 'acme' })
  expect(opened.failures).toEqual([])
  expect(opened.findings).toEqual([])
  expect(opened.outcome).toBe('rendered')
})

test('the README app handles an unknown customer, and only shows the link for an exact match', async () => {
  const block = apps.find(({ page }) => page === 'README.md')!
  const { default: app } = await load({ ...block, code: renameCache(block.code) })
  const service = createTestService(app as Parameters<typeof createTestService>[0], {
    env: ENV,
    headers: { 'x-sidecard-secret': SECRET },
  })
  const unknown = await service.openIssue({ account_id: 'x', requester_email: 'x@y.example' })
  expect(unknown.outcome).toBe('not_found')
  const byEmail = await service.openIssue({
    account_id: undefined,
    requester_email: 'Jane@acme.example',
  })
  expect(byEmail.text).toContain('Acme')
  expect(byEmail.text).not.toContain('Open in admin')
  const exact = await service.openIssue({ account_id: 'acme' })
  expect(exact.text).toContain('Open in admin')
})

test('the program in docs/emulator.md opens an issue in the emulator', async () => {
  const block = examples.find(({ page }) => page === 'docs/emulator.md')!
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  try {
    await load(block)
    expect(print.mock.calls).toEqual([['rendered', []]])
  } finally {
    print.mockRestore()
  }
})

/** The name of a section cache must be unique in the process. */
function renameCache(code: string): string {
  return code.replace("name: 'errors'", "name: 'errors of a second load'")
}

test('docs/options.md lists every option', () => {
  const create = () => sidecard({ zzzzzzzzzzzz: 1 } as never)
  const [, known = ''] = /The options are (.+)\.$/.exec(catchMessage(create)) ?? []
  const page = readFileSync(join(root, 'docs/options.md'), 'utf8').split('\n## ')[0] ?? ''
  const listed = [...page.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
  expect(listed).toEqual(known.split(', '))
})

function catchMessage(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('It did not throw.')
}
