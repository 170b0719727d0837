import { createClient } from 'redis'
import { memoryStore, redisStore, type StoreAdapter } from 'sidecard/cache'
import { type Database, openDatabase } from './database.ts'
import { startErrorService } from './error-service.ts'

/** The bindings of the app: its secret and its data sources. */
export interface Env {
  readonly SIDECARD_SECRET: string | undefined
  /** At least 32 characters, for the links of actions. */
  readonly SIDECARD_ACTION_SECRET?: string | undefined
  /** Where agents reach this app. Without it, actions work on this machine only. */
  readonly PUBLIC_URL?: string | undefined
  readonly DB: Database
  readonly ERRORS_URL: string
  readonly CACHE: StoreAdapter
}

/** Opens the data sources. A source without a URL runs in this process. */
export async function openEnv(variables: NodeJS.ProcessEnv) {
  const { SIDECARD_SECRET, DATABASE_URL, ERRORS_URL, REDIS_URL } = variables
  const { SIDECARD_ACTION_SECRET, PUBLIC_URL, SIDECARD_DEV } = variables
  const DB = await openDatabase(DATABASE_URL)
  const errorService = ERRORS_URL ? undefined : await startErrorService()
  // While Redis is down, commands fail immediately instead of waiting for it.
  const redis = REDIS_URL ? createClient({ url: REDIS_URL, disableOfflineQueue: true }) : undefined
  redis?.on('error', ({ message }: Error) => process.stderr.write(`redis: ${message}\n`))
  void redis?.connect()
  return {
    SIDECARD_SECRET,
    SIDECARD_ACTION_SECRET,
    PUBLIC_URL,
    SIDECARD_DEV,
    DB,
    ERRORS_URL: ERRORS_URL ?? errorService?.url ?? '',
    CACHE: redis ? redisStore(redis) : memoryStore(),
    onClose: async () => {
      redis?.destroy()
      await Promise.all([DB.close(), errorService?.close()])
    },
  }
}
