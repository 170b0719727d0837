import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openPage } from './follow-page.ts'
import { followedBlocks, PAGES, PROJECT_PAGES } from './pages.ts'
import { placeOf } from './parse-blocks.ts'
import { hasRegistry, takeTurns } from './project.ts'

takeTurns()

const pages = [...PROJECT_PAGES.map(({ page }) => page), ...PAGES]
  .map((page) => ({ page, blocks: followedBlocks(page) }))
  .filter(({ blocks }) => blocks.some(({ block }) => block.language === 'sh'))

describe.skipIf(!hasRegistry).each(pages)('$page', ({ blocks }) => {
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
