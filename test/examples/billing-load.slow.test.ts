import { expect, test } from 'vitest'
import { memoryStore } from 'sidecard/cache'
import { serve } from 'sidecard/node'
import { app } from '../../examples/billing/src/app.ts'
import { openDatabase, seedDatabase } from '../../examples/billing/src/sources/database.ts'
import { startErrorService } from '../../examples/billing/src/sources/error-service.ts'
import { findPostgres, startPostgres } from '../helpers/postgres.ts'
import { findFreePort } from '../helpers/free-port.ts'

const AGENTS = 50
const CUSTOMERS = 10
const SOURCE_MS = 400
const postgresBin = findPostgres()
const isOptional = process.env['CI'] !== 'true'

test.skipIf(postgresBin === undefined && isOptional)(
  `${AGENTS} agents at once: a request to the slow source for each of ${CUSTOMERS} customers (needs PostgreSQL: apt-get install postgresql)`,
  async () => {
    if (postgresBin === undefined)
      throw new Error('PostgreSQL is missing: apt-get install postgresql')
    const postgres = startPostgres(postgresBin, await findFreePort())
    const cleanUp: Array<() => unknown> = [() => postgres.stop()]
    try {
      await seedDatabase(postgres.url)
      const DB = await openDatabase(postgres.url)
      cleanUp.unshift(() => DB.close())
      const errorService = await startErrorService({ delayMs: SOURCE_MS })
      cleanUp.unshift(() => errorService.close())
      const env = { SIDECARD_SECRET: 's', DB, ERRORS_URL: errorService.url, CACHE: memoryStore() }
      const server = await serve(app, { port: 0, env, handleSignals: false })
      cleanUp.unshift(() => server.close())

      const open = async (agent: number) => {
        const query = new URLSearchParams({
          request_type: 'fetch_data',
          issue_id: `issue_${agent}`,
          organization_id: 'org_1',
          account_id: `acc_${1 + (agent % CUSTOMERS)}`,
        })
        const startedAt = performance.now()
        const headers = { 'x-sidecard-secret': 's' }
        const response = await fetch(`${server.url}?${query}`, { headers })
        const body = await response.text()
        const failure = response.headers.get('x-sidecard-failure')
        return { ms: performance.now() - startedAt, status: response.status, failure, body, agent }
      }
      const openAll = () => Promise.all(Array.from({ length: AGENTS }, (_, agent) => open(agent)))

      const cold = await openAll()
      const warm = await openAll()

      for (const { status, failure, body, agent } of [...cold, ...warm]) {
        expect({ status, failure }).toEqual({ status: 200, failure: null })
        expect(body).toContain(`Customer ${1 + (agent % CUSTOMERS)}"`)
        expect(body).toContain('Card declined')
      }
      expect(errorService.requests.size).toBe(CUSTOMERS)
      expect([...errorService.requests.values()]).toEqual(Array(CUSTOMERS).fill(1))
      // Only the first data fetches wait for the slow source.
      expect(Math.min(...cold.map(({ ms }) => ms))).toBeGreaterThan(SOURCE_MS * 0.9)
      expect(median(warm)).toBeLessThan(median(cold))
      process.stdout.write(
        `  ${AGENTS} agents, ${CUSTOMERS} customers: median ${median(cold)} ms cold, ${median(warm)} ms warm, ${errorService.requests.size} requests to the slow source\n`,
      )
    } finally {
      // oxlint-disable-next-line no-await-in-loop -- the server before its sources
      for (const close of cleanUp) await close()
    }
  },
  60_000,
)

function median(fetches: ReadonlyArray<{ readonly ms: number }>): number {
  const sorted = fetches.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? NaN)
}
