import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMPONENT_TYPES } from '../../src/runtime/contract/generated/vocabulary.ts'
import { readBlocks } from '../installed/parse-blocks.ts'
import { root } from '../installed/root.ts'

const PAGE = 'docs/components.md'
const blocks = readBlocks(root, PAGE)

/** Each call with the JSON below it. */
const pairs = blocks.flatMap((block, index) => {
  const next = blocks[index + 1]
  return block.language === 'ts' && next?.language === 'json'
    ? [[`line ${block.line}`, block.code, next.code] as const]
    : []
})

/** The rows of the tables of mistakes. */
const mistakes = [
  ...readFileSync(join(root, PAGE), 'utf8').matchAll(/^\| `(\w+\(.*\))`\s+\| `(.+)`\s+\|$/gm),
].map(([, call = '', message = ''], row) => [call, message, row] as const)

let folder = ''
beforeAll(() => {
  mkdirSync(join(root, '.scratch'), { recursive: true })
  folder = mkdtempSync(join(root, '.scratch/components-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function load(name: string, code: string): Promise<unknown> {
  const file = join(folder, name)
  writeFileSync(file, code)
  const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    readonly default: unknown
  }
  return module.default
}

test.each(pairs)('the call in %s returns the JSON below it', async (line, code, json) => {
  expect(await load(`${line.replace(' ', '-')}.ts`, code)).toEqual(JSON.parse(json))
})

test.each(mistakes)('%s throws what the page says', async (call, message, row) => {
  const [name] = call.split('(')
  // No type check: the compiler rejects most of these calls.
  const code = `import { ${name} } from 'sidecard'\nexport default () => ${call}\n`
  const run = await load(`mistake-${row}.js`, code)
  expect(run).toThrow(expect.objectContaining({ message }))
})

test('the page shows every type of component, and mistakes of every builder with fields', () => {
  const shown = pairs.flatMap(([, , json]) => [...json.matchAll(/"type": "(\w+)"/g)])
  expect(new Set(shown.map(([, type]) => type))).toEqual(new Set(COMPONENT_TYPES))
  expect(mistakes.length).toBeGreaterThan(10)
})
