import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import {
  memoryReceipts,
  postgresReceipts,
  CREATE_RECEIPTS_TABLE,
  sqliteReceipts,
} from 'sidecard/actions'
import { type BrokenStore, createBroken } from './broken-store.ts'
import { findFreePort } from './free-port.ts'
import { findPostgres, startPostgres } from './postgres.ts'

async function startPg(bin: string): Promise<BrokenStore> {
  const server = startPostgres(bin, await findFreePort())
  const pool = new pg.Pool({ connectionString: server.url })
  pool.on('error', () => undefined)
  await pool.query(CREATE_RECEIPTS_TABLE)
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
  return [startMemory(), startSqlite(), ...(bin === undefined ? [] : [await startPg(bin)])]
}
