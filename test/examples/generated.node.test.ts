import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readExampleFiles } from '../../scripts/example-files.ts'

const root = fileURLToPath(new URL('../../examples/', import.meta.url))
const projects = await readExampleFiles()

test.each([...projects])('examples/%s is what sidecard new writes', (folder, files) => {
  const stored = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    // A reader may have installed or started the project.
    .filter((path) => !/\/(?:node_modules|\.wrangler)\/|\.(?:env|dev\.vars)$/.test(path))
  const contents = stored.map((path) => [
    path.slice(join(root, folder, '/').length),
    readFileSync(path, 'utf8'),
  ])
  const expected = files.map(({ path, content }) => [path, content])
  // To mend it: npm run generate
  expect(Object.fromEntries(contents)).toEqual(Object.fromEntries(expected))
})
