import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readExampleFiles } from './example-files.ts'

const root = fileURLToPath(new URL('../examples/', import.meta.url))

for (const [folder, files] of await readExampleFiles()) {
  rmSync(join(root, folder), { recursive: true, force: true })
  for (const { path, content } of files) {
    mkdirSync(dirname(join(root, folder, path)), { recursive: true })
    writeFileSync(join(root, folder, path), content)
  }
}
