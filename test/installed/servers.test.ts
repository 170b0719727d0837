import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { assertClaims } from './claims.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { findPostgres, startPostgres } from '../helpers/postgres.ts'
import { hasRegistry, openPlace, takeTurns } from './project.ts'
import { type BlockRun, runBlock } from './run-block.ts'
import { runOrThrow } from './run-program.ts'

takeTurns()

const runs: BlockRun[] = []
afterEach(async () => {
  for (const blockRun of runs.splice(0)) await blockRun.stop()
})

async function run(
  code: string,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const followed = await runBlock(code, folder, env)
  runs.push(followed)
  assertClaims(followed)
  return followed.output
}

describe.skipIf(!hasRegistry)('a project with the packed package', () => {
  test('serves the workspace and the health check', async () => {
    const output = await run('npm run dev', await openPlace('node'))
    const [, workspace = ''] = /^Workspace {2}(http:\S+)/m.exec(output) ?? []
    expect(await (await fetch(workspace)).text()).toContain('sidecard-token')
    expect((await fetch(`${workspace}-/assets/app.js`)).status).toBe(200)
    const health = await fetch('http://127.0.0.1:8787/health')
    expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok' }])
  })

  // If PostgreSQL is missing, run apt-get install postgresql.
  const bin = findPostgres()
  test.skipIf(bin === undefined)('of node-postgres runs on a PostgreSQL server', async () => {
    const project = await openPlace('node-postgres')
    const postgres = startPostgres(bin ?? '', await findFreePort())
    onTestFinished(() => postgres.stop())
    const env = { DATABASE_URL: postgres.url }
    await runOrThrow(project, 'npm', ['run', 'migrate'], env)
    await runOrThrow(project, 'npm', ['run', 'migrate'], env)
    const client = new pg.Client(postgres.url)
    await client.connect()
    await client.query(readFileSync(join(project, 'dev/seed.sql'), 'utf8'))
    await client.end()
    await runOrThrow(project, 'npm', ['test'], env)
    expect(await run('npm run check', project, env)).toContain('conforms')
  })
})
