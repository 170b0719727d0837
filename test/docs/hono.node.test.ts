import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { followedBlocks, PAGES } from '../installed/pages.ts'
import { root } from '../installed/root.ts'

test('a page that imports hono says how to install it with pnpm', () => {
  const pages = PAGES.filter((page) =>
    followedBlocks(page).some(({ block }) => / from 'hono[/']/.test(block.code)),
  )
  expect(pages.length).toBeGreaterThan(1)
  const isSilent = (page: string) =>
    !readFileSync(join(root, page), 'utf8').includes('`pnpm add hono`')
  expect(pages.filter(isSilent)).toEqual([])
})
