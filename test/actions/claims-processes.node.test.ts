import { spawn } from 'node:child_process'
import { Redis } from 'ioredis'
import pg from 'pg'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Claims, CLAIMS_TABLE, postgresClaims, redisClaims } from 'sidecard/actions'
import { findPostgres, type Postgres, startPostgres } from '../helpers/postgres.ts'
import { createActionApp, createExtendTrial, openPage, readLinks } from '../helpers/actions.ts'
import { testClaims } from '../helpers/claims.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { noRedis, type RedisServer, startRedis } from '../helpers/redis-server.ts'

const HOOKS = new URL('../helpers/use-source.ts', import.meta.url).href
const PROGRAM = new URL('../fixtures/confirming-process.ts', import.meta.url).pathname

async function confirmElsewhere(url: string, page: object, count: number, ...flags: string[]) {
  const args = ['--import', HOOKS, PROGRAM, url, JSON.stringify(page), String(count), ...flags]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of child.stdout) output += String(chunk)
  return (output === '' ? { runs: 0, outcomes: [] } : JSON.parse(output)) as {
    runs: number
    outcomes: string[]
  }
}

/** Two processes confirm the same page at the same time. */
function testProcesses(get: () => { url: string; claims: Claims }): void {
  async function openPageOf(overrides = {}) {
    const app = createActionApp(createExtendTrial(overrides), { claims: get().claims })
    const [link] = await readLinks(app)
    const { t, form } = await openPage(app, link!)
    return { app, link: link!, page: { t, form } }
  }

  test('an action runs once under 50 concurrent confirmations from two processes', async () => {
    const { page } = await openPageOf()
    const both = [confirmElsewhere(get().url, page, 25), confirmElsewhere(get().url, page, 25)]
    const [one, two] = await Promise.all(both)
    expect(one!.runs + two!.runs).toBe(1)
    const outcomes = [...one!.outcomes, ...two!.outcomes]
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect(outcomes.filter((outcome) => /in_progress|already_done/.test(outcome))).toHaveLength(49)
  })

  test('after a process died in the action, it is unknown whether it was done', async () => {
    const { app, link, page } = await openPageOf({ timeoutMs: 1_000 })
    await confirmElsewhere(get().url, page, 1, '--die')
    expect(await openPage(app, link)).toMatchObject({ outcome: 'in_progress' })
    const settings = { now: () => Date.now() + 8_000 }
    const later = await openPage(app, link, {}, undefined, settings)
    expect(later).toMatchObject({ outcome: 'unknown', heading: 'Outcome unknown' })
    const again = await confirmElsewhere(get().url, page, 3)
    expect(again.runs).toBe(0)
  })
}

describe.skipIf(noRedis)('redisClaims with a real Redis', () => {
  let server: RedisServer
  let nodeRedis: ReturnType<typeof createClient>
  let ioredis: Redis

  beforeAll(async () => {
    server = await startRedis()
    nodeRedis = createClient({ url: server.url })
    nodeRedis.on('error', () => undefined)
    await nodeRedis.connect()
    ioredis = new Redis(server.url)
    ioredis.on('error', () => undefined)
  })
  afterAll(async () => {
    nodeRedis.destroy()
    ioredis.disconnect()
    await server[Symbol.asyncDispose]()
  })

  describe('node-redis', () => {
    testClaims(() => redisClaims(nodeRedis))
  })
  describe('ioredis', () => {
    testClaims(() => redisClaims(ioredis))
  })
  testProcesses(() => ({ url: server.url, claims: redisClaims(ioredis) }))

  test('a claim expires in Redis', async () => {
    const id = crypto.randomUUID()
    await redisClaims(ioredis).claim(id, 'a', Math.floor(Date.now() / 1_000) + 90_000)
    expect(await ioredis.ttl(`sidecard:claim:${id}`)).toBeGreaterThan(89_990)
    await redisClaims(ioredis).settle(id, 'a', 'done')
    expect(await ioredis.ttl(`sidecard:claim:${id}`)).toBeGreaterThan(89_900)
  })
})

const bin = findPostgres()

describe.skipIf(bin === undefined)('postgresClaims with a real PostgreSQL', () => {
  let server: Postgres
  let pool: pg.Pool

  beforeAll(async () => {
    server = startPostgres(bin ?? '', await findFreePort())
    pool = new pg.Pool({ connectionString: server.url })
    pool.on('error', () => undefined)
    await pool.query(CLAIMS_TABLE)
  })
  afterAll(async () => {
    await pool.end()
    server.stop()
  })

  const create = () => postgresClaims((text, values) => pool.query(text, values))
  testClaims(create)
  testProcesses(() => ({ url: server.url, claims: create() }))

  test('expired claims are deleted', async () => {
    await pool.query("INSERT INTO sidecard_claims VALUES ('old', 'a', 'done', 1, 2)")
    await create().settle('other', 'a', 'done')
    const { rows } = await pool.query("SELECT * FROM sidecard_claims WHERE id = 'old'")
    expect(rows).toEqual([])
  })
})
