import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sidecard } from 'sidecard'
import { root } from '../installed/root.ts'

test('docs/reference.md lists every option of sidecard()', () => {
  const create = () => sidecard({ zzzzzzzzzzzz: 1 } as never)
  const [, known = ''] = /The options are (.+)\.$/.exec(catchMessage(create)) ?? []
  const page = readFileSync(join(root, 'docs/reference.md'), 'utf8')
  const [, section = ''] = /^### sidecard\(\)\n([^]*?)\n###? /m.exec(page) ?? []
  const listed = [...section.matchAll(/^- `(\w+)`/gm)].map(([, name]) => name)
  expect(new Set(listed)).toEqual(new Set(known.split(', ')))
})

function catchMessage(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('It did not throw.')
}
