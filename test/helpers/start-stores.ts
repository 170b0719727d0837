import { DatabaseSync } from 'node:sqlite'
import { Redis } from 'ioredis'
import pg from 'pg'
import {
  memoryReceipts,
  postgresReceipts,
  RECEIPTS_TABLE,
  redisReceipts,
  sqliteReceipts,
} from 'sidecard/actions'
import { type BrokenStore, createBroken } from './broken-store.ts'
import { findFreePort } from './free-port.ts'
import { findPostgres, startPostgres } from './postgres.ts'
import { noRedis, startRedis } from './redis-server.ts'

async function startPg(bin: string): Promise<BrokenStore> {
  const server = startPostgres(bin, await findFreePort())
  const pool = new pg.Pool({ connectionString: server.url })
  pool.on('error', () => undefined)
  await pool.query(RECEIPTS_TABLE)
  const query = (text: string, values: unknown[]) => pool.query(text, values)
  return {
    name: 'postgresReceipts',
    create: (breakage) =>
      createBroken(breakage, { rows: [{ receipt: 'not json' }] }, (broken) =>
        postgresReceipts(broken(query)),
      ),
    close: async () => {
      await pool.end()
      server.stop()
    },
  }
}

function startSqlite(): BrokenStore {
  const database = new DatabaseSync(':memory:')
  return {
    name: 'sqliteReceipts',
    create: (breakage) =>
      createBroken(breakage, [null], (broken) => {
        const prepare = (query: string) => ({
          all: broken((...values: (string | number | null)[]) =>
            database.prepare(query).all(...values),
          ),
        })
        return sqliteReceipts({ prepare })
      }),
    close: async () => database.close(),
  }
}

async function startRedisStore(): Promise<BrokenStore> {
  const server = await startRedis()
  const client = new Redis(server.url)
  client.on('error', () => undefined)
  const run = (...args: [string, number, ...string[]]) => client.eval(...args)
  return {
    name: 'redisReceipts',
    create: (breakage) =>
      createBroken(breakage, 'QUEUED', (broken) =>
        redisReceipts({ eval: broken(run), setex: async () => 'OK' }),
      ),
    close: async () => {
      client.disconnect()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** It has no client: its methods fail themselves. */
function startMemory(): BrokenStore {
  return {
    name: 'memoryReceipts',
    create: (breakage) => {
      const memory = memoryReceipts()
      return createBroken(breakage, { state: 'done' }, (broken) => {
        const entries = Object.entries(memory).map(([name, method]) => [name, broken(method)])
        return Object.fromEntries(entries)
      })
    },
    close: async () => undefined,
  }
}

/** Starts every store that this machine has. D1 has its tests in test/workerd. */
export async function startStores(): Promise<readonly BrokenStore[]> {
  const bin = findPostgres()
  const servers = await Promise.all([
    ...(noRedis === undefined ? [startRedisStore()] : []),
    ...(bin === undefined ? [] : [startPg(bin)]),
  ])
  return [startMemory(), startSqlite(), ...servers]
}
