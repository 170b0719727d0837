/**
 * `npm start`: what a newcomer sees first. The emulator with the example app
 * (templates/node) connected, exactly as `sidecard dev` runs an app of one's
 * own. `npm start -- --port 0` takes any port.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

const port = await freePort()
const dev = ['dist/cli/bin.js', 'dev', '--url', `http://127.0.0.1:${port}`]
const app = ['--name', 'Customer (the example app)', '-H', 'x-sidecard-secret: env:SIDECARD_SECRET']
const server = [
  process.execPath,
  '--watch',
  '--watch-preserve-output',
  'templates/node/src/server.ts',
]
const child = spawn(process.execPath, [...dev, ...app, ...process.argv.slice(2), '--', ...server], {
  stdio: 'inherit',
  env: {
    ...process.env,
    DATABASE_PATH: ':memory:',
    PORT: String(port),
    SIDECARD_SECRET: randomBytes(18).toString('base64url'),
  },
})
// The terminal sends Ctrl-C to both; whoever sends a signal to this process alone means both, too.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => child.kill('SIGTERM'))
const [code] = (await once(child, 'exit')) as [number | null]
process.exitCode = code ?? 1

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port: free } = probe.address() as AddressInfo
  probe.close()
  return free
}
