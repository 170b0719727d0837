import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BLOCKS, PAGES, followedBlocks } from '../installed/pages.ts'
import { placeOf, readBlocks } from '../installed/parse-blocks.ts'
import { root } from '../installed/root.ts'
import { readTemplate } from '../../src/tools/cli/new/read-template.ts'
import { TEMPLATES } from '../../src/tools/cli/new/templates.ts'
import { isRecording } from 'sidecard/testing'

// `npm run test:installed` follows these blocks.

const shell = BLOCKS.filter(({ block }) => block.language === 'sh')
const programs = BLOCKS.filter(({ block }) => block.language === 'ts')

test('every shell block says where it runs, or why it cannot', () => {
  expect(shell.length).toBeGreaterThan(40)
  expect(programs.length).toBeGreaterThan(40)
  const unclear = shell.filter(({ marks }) => (marks.in === undefined) === !marks.notRun)
  expect(unclear.filter(({ marks }) => !marks.notRun).map(({ block }) => placeOf(block))).toEqual(
    [],
  )
})

test('at most one block in ten cannot run', () => {
  const notRun = BLOCKS.filter(({ marks }) => marks.notRun !== undefined)
  const list = notRun.map(({ block, marks }) => `${placeOf(block)}: ${marks.notRun}`)
  expect(list.slice(Math.floor(BLOCKS.length / 10))).toEqual([])
})

test('every TypeScript block can be followed', () => {
  expect(programs.filter(({ marks }) => marks.notRun).map(({ block }) => placeOf(block))).toEqual(
    [],
  )
  const incomplete = programs.filter(({ block }) => block.code.includes('…'))
  expect(incomplete.map(({ block }) => placeOf(block))).toEqual([])
})

/** The packages of each template, and the modules of its runtime. */
const PRESENT = new Map<string, readonly string[]>(
  await Promise.all(
    TEMPLATES.map(async (template) => {
      const files = await readTemplate(template, { name: 'app', sidecard: '*', version: '0' })
      const text = files.find(({ path }) => path === 'package.json')?.content ?? ''
      const { dependencies = {}, devDependencies = {} } = JSON.parse(text) as Record<string, object>
      const names = Object.keys({ ...dependencies, ...devDependencies })
      return [template.name, [...names, 'cloudflare:workers']] as const
    }),
  ),
)

test.each(PAGES)('%s says to install the packages that it imports', (page) => {
  const text = readFileSync(join(root, page), 'utf8').replaceAll('\\\n', ' ')
  const installed = [...text.matchAll(/(?:npm install|pnpm add) ([^`\n]+)/g)]
    .flatMap(([, names = '']) => names.split(/\s+/))
    .map((name) => name.replace(/(?<=.)@[\d.]+$/, ''))
  const missing = followedBlocks(page).flatMap(({ block, marks }) => {
    if (block.language !== 'ts') return []
    const present = marks.in === undefined ? ['workers', 'node'] : [marks.in]
    const packages = [...block.code.matchAll(/from '([^.'][^']*)'/g)]
      .map(([, specifier = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '')
      .filter((name) => !name.startsWith('node:') && !installed.includes(name))
    return packages
      .filter((name) => present.some((template) => PRESENT.get(template)?.includes(name) !== true))
      .map((name) => `${name} in ${placeOf(block)}`)
  })
  expect(missing).toEqual([])
})

test('no page calls the CLI by a name that a project does not have', () => {
  const bare = shell.filter(({ block }) => /^sidecard /m.test(block.code))
  expect(bare.map(({ block }) => placeOf(block))).toEqual([])
})

test('the recording in docs/testing.md is valid', () => {
  const [recording] = readBlocks(root, 'docs/testing.md').filter(
    ({ language }) => language === 'json',
  )
  expect(isRecording(JSON.parse(recording?.code ?? ''))).toBe(true)
})
