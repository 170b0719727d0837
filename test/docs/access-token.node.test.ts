import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { unstable_startWorker as startWorker } from 'wrangler'
import { readBlocks } from '../installed/parse-blocks.ts'
import { root } from '../installed/root.ts'

const createWorker = (tokenUrl: string) => `
import { noAuth, section, sidecard, text } from '${join(root, 'src/index.ts')}'
import { createAccessToken } from './access-token.ts'

const accessToken = createAccessToken('${tokenUrl}', 'client', 'password')

async function load() {
  return text({ label: 'Token', value: await accessToken() })
}

export default sidecard({
  header: { title: 'Billing' },
  auth: noAuth(),
  fetchData: () => [section('Plan', load, { timeoutMs: 1_500 })],
})
`

/** Starts an OAuth server that never answers the first request. */
async function startTokenServer() {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(String(request.method))
    if (requests.length === 1) return
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ access_token: 't0ken', expires_in: 3_600 }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`, requests }
}

test('a Worker with the documented access token recovers from a token request that timed out', async () => {
  const block = readBlocks(root, 'docs/guides/with-your-stack.md').find(
    ({ info }) => info === 'file=src/access-token.ts',
  )
  const { url, requests } = await startTokenServer()
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-token-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'access-token.ts'), block?.code ?? '')
  writeFileSync(join(folder, 'worker.ts'), createWorker(url))
  const worker = await startWorker({
    entrypoint: join(folder, 'worker.ts'),
    compatibilityDate: '2026-09-01',
    dev: {
      server: { hostname: '127.0.0.1', port: 0 },
      inspector: false,
      logLevel: 'none',
      persist: false,
      watch: false,
    },
  })
  onTestFinished(() => worker.dispose())
  const failures: unknown[] = []
  for (let count = 0; count < 3; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one request after the end of the other
    const response = await worker.fetch('http://localhost/?request_type=fetch_data')
    failures.push(response.headers.get('x-sidecard-failure'))
    // oxlint-disable-next-line no-await-in-loop -- as above
    const text = await response.text()
    expect([count, text.includes('t0ken')]).toEqual([count, count > 0])
  }
  expect(failures).toEqual([expect.stringContaining('section_timeout'), null, null])
  expect(requests).toEqual(['POST', 'POST'])
}, 120_000)
