import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sidecard } from 'sidecard'
import { root } from '../installed/root.ts'

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
