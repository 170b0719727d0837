import { healthCheck } from 'sidecard'
import { serve } from 'sidecard/node'
import { createApp } from './app.ts'
import { openDatabase } from './database.ts'
import { readEnv } from './env.ts'

const { DATABASE_PATH, HOST, PORT } = readEnv()
const database = openDatabase(DATABASE_PATH)
const health = healthCheck({ sources: { database: () => database.ping() } })
const server = await serve(createApp(database).route('/health', health), {
  hostname: HOST,
  port: PORT,
  onClose: () => database.close(),
})
console.log(`Sidebar app listening on ${server.url}`)
