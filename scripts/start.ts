/**
 * `npm start`: serves the example app (templates/node) with a secret made for
 * this run, and says how to try it.
 */
import { randomBytes } from 'node:crypto'
import { isSidecardError } from 'sidecard'
import { serve } from 'sidecard/node'
import { createApp } from '../templates/node/src/app.ts'
import { openDatabase } from '../templates/node/src/database.ts'

const secret = randomBytes(18).toString('base64url')
const database = openDatabase()
const port = Number(process.env['PORT'] ?? 8787)

try {
  const { url } = await serve(createApp(database), { port, env: { SIDECARD_SECRET: secret } })
  console.log(`
The example app listens on ${url}
It expects the header x-sidecard-secret: ${secret} (made for this run)

Handshake:
  curl -H 'x-sidecard-secret: ${secret}' '${url}/?request_type=verify&code=hello'

Data of a customer (acc_northwind, acc_lumen, acc_koi; any other is unknown):
  curl -H 'x-sidecard-secret: ${secret}' '${url}/?request_type=fetch_data&account_id=acc_northwind'

Ctrl-C ends it.`)
} catch (error) {
  if (!isSidecardError(error)) throw error
  console.error(`${error.message} For example: PORT=8788 npm start`)
  process.exitCode = 1
}
