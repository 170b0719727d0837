import { serve } from 'sidecard/node'
import { createApp } from './app.ts'
import { openDatabase } from './database.ts'

const { HOST = '127.0.0.1', PORT = '8787' } = process.env

const database = await openDatabase()
const server = await serve(createApp(database), {
  hostname: HOST,
  port: Number(PORT),
  onClose: () => database.close(),
})
process.stdout.write(`The sidebar app listens on ${server.url}\n`)
