import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { unstable_startWorker as startWorker } from 'wrangler'
import { root } from '../installed/root.ts'
import { readSections, writeFiles } from './sections.ts'
import { WORKER_DEV } from '../helpers/worker-dev.ts'

const SECRET = 's3cret-of-the-worker'

/** The responses of the API that the blocks call, by path. */
const RESPONSES: Readonly<Record<string, unknown>> = {
  '/token': { access_token: 't0ken', expires_in: 3_600 },
  '/accounts/acc_1': { plan: 'Pro' },
  '/orders': [
    {
      number: '#1',
      state: 'open',
      total: '40.00',
      currency: 'EUR',
      placedAt: '2026-11-20T09:00:00Z',
    },
  ],
}

/** The file that the section about orders imports. */
const ORDERS = `import { env } from 'cloudflare:workers'
export const loadOrders = async () => (await fetch(env.API_URL + '/orders')).json()
`

/** Returns whether a Worker can use the app of a section: it imports no package for Node. */
const runsOnWorkers = ({ blocks }: (typeof sections)[number]) => {
  const app = blocks.filter(({ file }) => /^src\/(?!server)/.test(file ?? ''))
  const imported = app.flatMap(({ code }) => [...code.matchAll(/from '([^']+)'/g)])
  return (
    app.some(({ file }) => file === 'src/app.ts') &&
    imported.every(([, name = '']) => /^sidecard$|^\.\/(?:access-token|orders)\.ts$/.test(name))
  )
}

const sections = readSections(new URL('../../docs/guides/with-your-stack.md', import.meta.url))
const usable = sections.filter(runsOnWorkers)

let worker: Awaited<ReturnType<typeof startWorker>>
const requests: string[] = []

beforeAll(async () => {
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    // The first request to each path never gets a response.
    if (path.startsWith('/accounts') || requests.indexOf(path) < requests.length - 1) {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(RESPONSES[path]))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-worker-'))
  for (const [index, section] of usable.entries()) {
    const own = join(folder, String(index))
    // As the page says: on Workers, variables are not in `process.env`.
    const blocks = section.blocks.map((block) => ({
      ...block,
      code: block.code.includes('process.env')
        ? `import { env } from 'cloudflare:workers'\n${block.code.replace('process.env', 'env')}`
        : block.code,
    }))
    mkdirSync(join(own, 'src'), { recursive: true })
    writeFiles({ ...section, blocks }, own)
    writeFileSync(join(own, 'src/orders.ts'), ORDERS)
  }
  const imports = usable.map(
    (_, index) => `import { app as app${index} } from './${index}/src/app.ts'`,
  )
  const routes = usable.map((_, index) => `.route('/${index}', app${index})`)
  const entry = join(folder, 'worker.ts')
  writeFileSync(
    entry,
    `import { Hono } from 'hono'\n${imports.join('\n')}\nexport default new Hono()${routes.join('')}`,
  )
  const text = (value: string) => ({ type: 'plain_text', value }) as const
  const { port } = server.address() as AddressInfo
  worker = await startWorker({
    entrypoint: entry,
    compatibilityDate: '2026-09-01',
    bindings: {
      SIDECARD_SECRET: text(SECRET),
      STAGE: text('staging'),
      API_URL: text(`http://127.0.0.1:${port}`),
      CLIENT_ID: text('client'),
      CLIENT_SECRET: text('password'),
    },
    build: {
      alias: { sidecard: join(root, 'src/index.ts'), hono: join(root, 'node_modules/hono') },
    },
    dev: WORKER_DEV,
  })
  return async () => {
    await worker.dispose()
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}, 120_000)

/** A text in the sidebar of each block, and whether its app waits for the API. */
const SHOWN: Readonly<Record<string, readonly [text: string, waits: boolean]>> = {
  'With your stack': ['acc_1', false],
  'An API with OAuth': ['Pro', true],
  'Several environments': ['Billing (staging)', false],
  'German texts': ['12.500', false],
  'A list of orders': ['€40.00 on Nov 20, 2026', true],
}

test('the page has these blocks for a Worker', () => {
  expect(usable.map(({ title }) => title).toSorted()).toEqual(Object.keys(SHOWN).toSorted())
})

test.concurrent.each(Object.entries(SHOWN))(
  'a Worker with the block “%s” shows the data, even after a response that never came',
  async (title, [text, waits]) => {
    const index = usable.findIndex((each) => each.title === title)
    const load = async () => {
      const response = await worker.fetch(
        `http://localhost/${index}?request_type=fetch_data&account_id=acc_1`,
        { headers: { 'x-sidecard-secret': SECRET } },
      )
      return [response.headers.has('x-sidecard-failure'), await response.text()] as const
    }
    const [hasFailed, slow] = await load()
    expect([hasFailed, slow.includes(text)]).toEqual([waits, !waits])
    expect(await load()).toEqual([false, expect.stringContaining(text)])
  },
  120_000,
)
