import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { assertClaims } from './claims.ts'
import type { Place } from './marks.ts'
import { followedBlocks, PAGES, PROJECT_PAGES } from './pages.ts'
import { placeOf } from './parse-blocks.ts'
import { pasteExactly, programsFor } from './paste.ts'
import { hasRegistry, installed, isProject, openPlace, restoreProject } from './project.ts'
import { type BlockRun, runBlock } from './run-block.ts'
import { fillIn } from './stand-ins.ts'

const pages = [...PROJECT_PAGES.map(({ page }) => page), ...PAGES]
  .map((page) => ({ page, blocks: followedBlocks(page) }))
  .filter(({ blocks }) => blocks.some(({ block }) => block.language === 'sh'))

/** A page that calls an endpoint assumes that it runs. */
const CALLS_ENDPOINT = /\bsidecard (?:check|monitor|render|record)\b.*https?:|npm run verify/
const STARTS_SIDECARD_DEV = /\bnpm run dev\b|\bsidecard dev\b|\bnpm start\b/
/** The server itself, without `sidecard dev`, which would connect to it. */
const STARTS_SERVER = /^(?:\w+=\S+ )?(?:bun|deno|node) .*src\/\w+\.ts$/m

const START = 'npm run dev'
const CHECK =
  "npx sidecard check http://127.0.0.1:8787 -H 'x-sidecard-secret: env:SIDECARD_SECRET' --param account_id=acc_northwind --expect-auth"

describe.skipIf(!hasRegistry).each(pages)('$page', ({ blocks }) => {
  let endpoint: BlockRun | undefined
  const runs: BlockRun[] = []
  const projects = new Set<string>()

  afterEach(async () => {
    for (const run of runs.splice(0)) await run.stop()
  })
  afterAll(async () => {
    await endpoint?.stop()
    for (const project of projects) restoreProject(project)
  })

  async function run(code: string, folder: string): Promise<BlockRun> {
    // Without `sidecard dev`, there is no service API.
    const env = STARTS_SERVER.test(code) ? { SIDECARD_API_URL: '' } : {}
    const started = await runBlock(code, folder, env)
    runs.push(started)
    return started
  }

  /** Opens the place of a block. The first time, it gets the files of the page. */
  async function open(place: Place): Promise<string> {
    const folder = await openPlace(place)
    if (isProject(place) && !projects.has(folder)) {
      projects.add(folder)
      pasteExactly(folder, programsFor(place, blocks))
    }
    return folder
  }

  const commands = blocks.filter(({ block }) => block.language === 'sh')
  test.for(commands.map((each) => [placeOf(each.block), each] as const))(
    '%s',
    async ([, { block, marks }], { skip }) => {
      skip(marks.notRun !== undefined, marks.notRun)
      if (marks.in === undefined) throw new Error('Say where it runs, such as in=node.')
      const folder = await open(marks.in)
      const code = fillIn(block.code, installed())
      if (STARTS_SIDECARD_DEV.test(code) || STARTS_SERVER.test(code)) {
        await endpoint?.stop()
        endpoint = undefined
      } else if (CALLS_ENDPOINT.test(code) && endpoint === undefined) {
        endpoint = await runBlock(START, folder)
        assertClaims(endpoint)
      }
      const followed = await run(code, folder)
      assertClaims(followed, marks)
      if (STARTS_SERVER.test(code)) assertClaims(await run(CHECK, folder))
      expect(followed.exitCode).toBe(marks.exit ?? 0)
    },
  )
})
