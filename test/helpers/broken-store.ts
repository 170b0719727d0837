import { AsyncLocalStorage } from 'node:async_hooks'
import { DatabaseSync } from 'node:sqlite'
import { Redis } from 'ioredis'
import pg from 'pg'
import {
  d1Receipts,
  memoryReceipts,
  postgresReceipts,
  type Receipts,
  RECEIPTS_TABLE,
  redisReceipts,
  sqliteReceipts,
} from 'sidecard/actions'
import { findFreePort } from './free-port.ts'
import { findPostgres, startPostgres } from './postgres.ts'
import { noRedis, startRedis } from './redis-server.ts'

/** How a store fails at one step: before it did anything, after it, not at all, or with nonsense. */
export const FAULTS = ['throws', 'loses its reply', 'hangs', 'hangs after it', 'garbage'] as const
export type Fault = (typeof FAULTS)[number]

/** A fault at one of the methods of receipts. */
export interface Breakage {
  step?: keyof Receipts | undefined
  fault?: Fault | undefined
  /** How often it was met. */
  met: number
}

type Driver = <A extends unknown[], R>(call: (...args: A) => R) => (...args: A) => any

/** A store whose client can be broken, for one app at a time. */
export interface BrokenStore {
  readonly name: string
  /** Receipts in the real store, through a client that fails as `breakage` says. */
  create(breakage: Breakage): Receipts
  close(): Promise<unknown>
}

const METHODS = ['begin', 'settle', 'release', 'find', 'last', 'erase', 'since'] as const
const step = new AsyncLocalStorage<keyof Receipts>()

const never = () => new Promise<never>(() => undefined)

/** Breaks the calls of a client that belong to the step. */
function createDriver(breakage: Breakage, garbage: unknown): Driver {
  return (call) =>
    async (...args) => {
      if (breakage.step === undefined || step.getStore() !== breakage.step) return call(...args)
      breakage.met += 1
      switch (breakage.fault) {
        case 'throws':
          throw new Error('connection refused')
        case 'loses its reply':
          await call(...args)
          throw new Error('connection reset')
        case 'hangs':
          return never()
        case 'hangs after it':
          await call(...args)
          return never()
        default:
          return garbage
      }
    }
}

/** Tells the client which step a call belongs to. */
function name(receipts: Receipts): Receipts {
  const entries = METHODS.filter((method) => receipts[method] !== undefined).map((method) => [
    method,
    (...args: never[]) =>
      step.run(method, () => (receipts[method] as (...args: never[]) => unknown)(...args)),
  ])
  return Object.fromEntries(entries) as Receipts
}

/** D1 is SQLite: `test/workerd` has the tests on a real one. */
function startD1(): BrokenStore {
  const database = new DatabaseSync(':memory:')
  return {
    name: 'd1Receipts',
    create: (breakage) => {
      const broken = createDriver(breakage, { results: [{ receipt: '{"state":"done"}' }] })
      const prepare = (query: string) => ({
        bind: (...values: any[]) => ({
          all: broken(() => ({ results: database.prepare(query).all(...values) })),
        }),
      })
      return name(d1Receipts({ prepare }))
    },
    close: async () => database.close(),
  }
}

async function startPg(bin: string): Promise<BrokenStore> {
  const server = startPostgres(bin, await findFreePort())
  const pool = new pg.Pool({ connectionString: server.url })
  pool.on('error', () => undefined)
  await pool.query(RECEIPTS_TABLE)
  return {
    name: 'postgresReceipts',
    create: (breakage) => {
      const broken = createDriver(breakage, { rows: [{ receipt: 'not json' }] })
      return name(
        postgresReceipts(broken((text: string, values: unknown[]) => pool.query(text, values))),
      )
    },
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
    create: (breakage) => {
      const broken = createDriver(breakage, [null])
      const prepare = (query: string) => ({
        all: broken((...values: (string | number | null)[]) =>
          database.prepare(query).all(...values),
        ),
      })
      return name(sqliteReceipts({ prepare }))
    },
    close: async () => database.close(),
  }
}

async function startRedisStore(): Promise<BrokenStore> {
  const server = await startRedis()
  const client = new Redis(server.url)
  client.on('error', () => undefined)
  return {
    name: 'redisReceipts',
    create: (breakage) => {
      const broken = createDriver(breakage, 'QUEUED')
      const run = broken((...args: [string, number, ...string[]]) => client.eval(...args))
      return name(redisReceipts({ eval: run, setex: async () => 'OK' }))
    },
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
      const broken = createDriver(breakage, { state: 'done' })
      const entries = METHODS.map((method) => [
        method,
        broken((...args: never[]) => (memory[method] as (...args: never[]) => unknown)(...args)),
      ])
      return name(Object.fromEntries(entries) as Receipts)
    },
    close: async () => undefined,
  }
}

/** Starts every store that this machine has. */
export async function startStores(): Promise<readonly BrokenStore[]> {
  const bin = findPostgres()
  const servers = await Promise.all([
    ...(noRedis === undefined ? [startRedisStore()] : []),
    ...(bin === undefined ? [] : [startPg(bin)]),
  ])
  return [startMemory(), startSqlite(), startD1(), ...servers]
}
