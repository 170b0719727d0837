import { serve } from 'sidecard/node'
import { createApp } from './app.ts'
import { openDatabase } from './database.ts'

const { DATABASE_PATH = 'customers.sqlite', HOST = '127.0.0.1', PORT = '8787' } = process.env

const database = openDatabase(DATABASE_PATH)
const app = createApp(database).get('/health', (c) => c.text('ok'))
const server = await serve(app, {
  hostname: HOST,
  port: Number(PORT),
  onClose: () => database.close(),
})
console.log(`The sidebar app listens on ${server.url}`)
