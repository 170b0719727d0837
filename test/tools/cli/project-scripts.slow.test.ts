import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bin, isAlive, startProcess, temporaryFolder } from '../../helpers/dev-command.ts'
import { findFreePort } from '../../helpers/free-port.ts'

const RESPOND = `
const names = { acc_northwind: 'Northwind Traders', acc_lumen: 'Lumen Optics' }
const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
export function respond(request, secret) {
  if (request.headers.get('x-sidecard-secret') !== secret) return new Response('', { status: 401, headers })
  const { searchParams } = new URL(request.url)
  const code = searchParams.get('code')
  if (code) return Response.json({ code }, { headers })
  const value = names[searchParams.get('account_id')]
  const header = { title: 'Account', icon_url: 'https://example.com/i.png' }
  const components = value === undefined ? [] : [{ type: 'text', label: 'Name', value }]
  return Response.json({ version: '1.0.0', header, components }, { headers })
}
`

async function createProject(files: Readonly<Record<string, string>>, server: string) {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'src'))
  const url = `http://127.0.0.1:${await findFreePort()}/`
  const headers = { 'x-sidecard-secret': 'env:SIDECARD_SECRET' }
  const project = {
    apps: { account: { url, command: 'npm run server', headers } },
    customers: {
      Northwind: { ids: { account_id: 'acc_northwind' }, shows: ['Northwind Traders'] },
      Lumen: { ids: { account_id: 'acc_lumen' }, shows: ['Lumen Optics'] },
    },
  }
  const all = {
    ...files,
    'src/respond.js': RESPOND,
    'sidecard.json': JSON.stringify(project, null, 2),
    'package.json': JSON.stringify({ type: 'module', scripts: { server } }),
  }
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text)
  symlinkSync(
    fileURLToPath(new URL('../../../node_modules', import.meta.url)),
    join(folder, 'node_modules'),
  )
  return { folder, url }
}

test('check starts a Worker by its npm script, and gives it a random secret', async () => {
  const worker = `
import { respond } from './respond.js'
export default { fetch: (request, env) => respond(request, env.SIDECARD_SECRET) }`
  const wrangler = '{ "name": "test", "main": "src/index.js", "compatibility_date": "2026-01-01" }'
  const { folder, url } = await createProject(
    { 'src/index.js': worker, 'wrangler.jsonc': wrangler },
    'wrangler dev --inspector-port 0',
  )
  const check = startProcess(process.execPath, [bin, 'check', '--only', 'handshake'], {
    cwd: folder,
  })
  await check.until(/random SIDECARD_SECRET\) as Northwind and Lumen/)
  const [code] = await check.exit
  expect([code, check.output()]).toEqual([0, expect.stringContaining('passed')])
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('check ends the server that an npm script started', async () => {
  const server = `
import { createServer } from 'node:http'
import { writeFileSync } from 'node:fs'
import { respond } from './respond.js'
writeFileSync('server.pid', String(process.pid))
createServer(async ({ url, headers }, out) => {
  const response = respond(new Request('http://x' + url, { headers }), process.env.SIDECARD_SECRET)
  out.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
}).listen(Number(process.env.PORT), '127.0.0.1')`
  const { folder } = await createProject({ 'src/server.js': server }, 'node src/server.js')
  const check = startProcess(process.execPath, [bin, 'check', '--only', 'handshake'], {
    cwd: folder,
  })
  const [code] = await check.exit
  expect([code, check.output()]).toEqual([0, expect.stringContaining('passed')])
  expect(isAlive(Number(readFileSync(join(folder, 'server.pid'), 'utf8')))).toBe(false)
})
