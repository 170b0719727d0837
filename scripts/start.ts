/**
 * `npm start`: starts the emulator with the app of the Node template, like `sidecard
 * dev` with your own app. `npm start -- examples/billing` starts it with examples/billing.
 * Everything runs in this process, so that stopping npm stops it. `npm start --
 * --port 0` picks a free port.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type * as Cli from '../src/tools/cli/process.ts'

const port = await findFreePort()
process.env['PORT'] = String(port)
process.env['SIDECARD_SECRET'] = randomBytes(18).toString('base64url')

const [first, ...rest] = process.argv.slice(2)
const isExample = first === 'examples/billing'
const options = isExample ? rest : process.argv.slice(2)
// The app of the template consists of several folders, and all are watched.
const [folder, server] = isExample
  ? ['examples/billing', ['src/server.ts']]
  : ['templates', ['--import', './http-node/dev/source.ts', 'node/src/server.ts']]

const built = new URL('../dist/cli/process.js', import.meta.url).href
const { runProcess } = (await import(built)) as typeof Cli
// The folder has the sidecard.json, and only this folder is watched.
process.chdir(folder)
await runProcess(['dev', ...options, '--', process.execPath, ...server])

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port: free } = probe.address() as AddressInfo
  probe.close()
  return free
}
