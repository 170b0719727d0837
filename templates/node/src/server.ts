import { healthCheck } from 'sidecard'
import { serve } from 'sidecard/node'
import { createApp } from './app.ts'
import { checkDatabase, openDatabase } from './database.ts'
import { envSchema } from './env.ts'
import { readEnv } from './read-env.ts'

const env = readEnv(envSchema)
const database = await openDatabase(env)
const health = healthCheck({
  sources: { database: () => checkDatabase(database) },
  logger: console,
})
const server = await serve(createApp(database).route('/health', health), {
  hostname: env.HOST,
  port: env.PORT,
  onClose: () => database.close(),
})
console.log(`Sidebar app listening on ${server.url}`)
// The server also starts without its database, and recovers when the database does.
await checkDatabase(database).catch((error: Error) => console.error(`database: ${error.message}`))
