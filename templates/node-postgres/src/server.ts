import { healthCheck } from 'sidecard'
import { serve } from 'sidecard/node'
import { createApp } from './app.ts'
import { ping } from './customers.ts'
import { openDatabase } from './database.ts'
import { readEnv } from './env.ts'

const { DATABASE_URL, HOST, PORT } = readEnv()
const database = await openDatabase(DATABASE_URL)
const health = healthCheck({ sources: { database: () => ping(database) } })
const server = await serve(createApp(database).route('/health', health), {
  hostname: HOST,
  port: PORT,
  onClose: () => database.close(),
})
console.log(`Sidebar app listening on ${server.url}`)
