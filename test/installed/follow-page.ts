import { assertClaims } from './claims.ts'
import type { Place } from './marks.ts'
import type { MarkedBlock } from './pages.ts'
import { pasteExactly, programsFor } from './paste.ts'
import { installed, isProject, openPlace, restoreProject } from './project.ts'
import { type BlockRun, runBlock } from './run-block.ts'
import { startSampleApi } from './sample-api.ts'
import { fillIn } from './stand-ins.ts'

/** A page that calls an endpoint assumes that it runs. */
const CALLS_ENDPOINT = /\bsidecard (?:check|render|record)\b.*https?:|npm run verify/
const STARTS_SIDECARD_DEV = /\bnpm run dev\b|\bsidecard dev\b|\bnpm start\b/
/** The server itself, without `sidecard dev`, which would connect to it. */
const STARTS_SERVER = /^(?:\w+=\S+ )?(?:bun|deno|node) .*src\/\w+\.ts$/m

const START = 'npm run dev'
const CHECK =
  "npx sidecard check http://127.0.0.1:8787 -H 'x-sidecard-secret: env:SIDECARD_SECRET' --param account_id=acc_northwind --shows 'Northwind Traders' --param account_id=acc_lumen --shows 'Lumen Optics' --expect-auth"

/** A page that is followed from top to bottom. */
export interface FollowedPage {
  /** Runs a shell block where the page says. @throws if it does not do what the page claims */
  follow(block: MarkedBlock): Promise<void>
  /** Stops the servers of the last block. */
  stop(): Promise<void>
  /** Stops everything, and restores the projects. */
  close(): Promise<void>
}

/** Opens a page, as a reader does who has done nothing else. */
export function openPage(blocks: readonly MarkedBlock[]): FollowedPage {
  let endpoint: BlockRun | undefined
  const runs: BlockRun[] = []
  const projects = new Set<string>()

  async function run(code: string, folder: string): Promise<BlockRun> {
    // Without `sidecard dev`, there is no service API.
    const env = STARTS_SERVER.test(code)
      ? { SIDECARD_API_URL: '', API_URL: await startSampleApi() }
      : {}
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

  async function stop(): Promise<void> {
    for (const started of runs.splice(0)) await started.stop()
  }

  return {
    async follow({ block, marks }) {
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
      assertClaims(await run(code, folder), marks)
      if (STARTS_SERVER.test(code)) assertClaims(await run(CHECK, folder))
    },
    stop,
    async close() {
      await stop()
      await endpoint?.stop()
      for (const project of projects) restoreProject(project)
    },
  }
}
