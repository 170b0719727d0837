import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { draw } from '../helpers/draw.ts'
import { openPage } from './follow-page.ts'
import { followedBlocks, PAGES, PROJECT_PAGES } from './pages.ts'
import { placeOf } from './parse-blocks.ts'
import { hasRegistry, takeTurns } from './project.ts'

takeTurns()

/** What most readers follow. */
const ALWAYS = ['README.md', 'docs/get-started.md']

const pages = [...PROJECT_PAGES.map(({ page }) => page), ...PAGES]
  .map((page) => ({ page, blocks: followedBlocks(page) }))
  .filter(({ blocks }) => blocks.some(({ block }) => block.language === 'sh'))
const others = pages.filter(({ page }) => !ALWAYS.includes(page))
const drawn = [...pages.filter((each) => !others.includes(each)), ...draw(others, 4)]

describe.skipIf(!hasRegistry).each(drawn)('$page', ({ blocks }) => {
  const page = openPage(blocks)
  afterEach(page.stop)
  afterAll(page.close)

  const commands = blocks.filter(({ block }) => block.language === 'sh')
  test.for(commands.map((each) => [placeOf(each.block), each] as const))(
    '%s',
    async ([, each], { skip }) => {
      skip(each.marks.notRun !== undefined, each.marks.notRun)
      await expect(page.follow(each)).resolves.toBeUndefined()
    },
  )
})
