import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SOURCE = new URL('../../src/', import.meta.url).pathname

// In a chunk of the bundled package, the URL is the chunk's.
test('only one module asks for its own URL', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  const asking = files.filter(
    (file) =>
      /\.tsx?$/.test(file) &&
      /import\.meta\.(?!main)/.test(readFileSync(join(SOURCE, file), 'utf8')),
  )
  expect(asking).toEqual(['tools/emulator/store/package-folder.ts'])
})
