import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PAGES, readBlocks, root } from './blocks.ts'

test('a page that imports hono says how to install it with pnpm', () => {
  const pages = PAGES.filter((page) =>
    readBlocks(page).some(({ code }) => / from 'hono[/']/.test(code)),
  )
  expect(pages.length).toBeGreaterThan(3)
  const isSilent = (page: string) =>
    !readFileSync(join(root, page), 'utf8').includes('`pnpm add hono`')
  expect(pages.filter(isSilent)).toEqual([])
})
