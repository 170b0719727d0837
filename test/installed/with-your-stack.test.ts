import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../helpers/free-port.ts'
import { hostOf, NAMES } from '../stack/matrix.ts'
import { commandOf, packagesOf, readSections, writeFiles } from '../stack/sections.ts'
import { createProject, run, startServer } from './packed-project.ts'
import { hasRegistry, installed } from './project.ts'

const SECRET = 's3cret-of-the-stack'
const HEADERS = { 'x-sidecard-secret': SECRET }
const FETCH = 'request_type=fetch_data&account_id=acc_1'

const sections = readSections(new URL('../../docs/guides/with-your-stack.md', import.meta.url))
const [page = { title: '', blocks: [] }] = sections

let project = ''

beforeAll(async () => {
  if (!hasRegistry) return
  // Hono is a dependency of Sidecard.
  const tools = ['hono', 'typescript', '@types/node', '@types/express']
  project = await createProject([...packagesOf(sections), ...tools])
})
beforeEach(({ skip }) => skip(!hasRegistry, 'there is no package registry'))

const folderOf = (title: string) => title.toLowerCase().replaceAll(/[^a-z]+/g, '-')

/** Writes the app of the page and the files of a section, in a separate folder of the project. */
function follow(title: string, files: Readonly<Record<string, string>> = {}) {
  const section = sections.find((each) => each.title === title)
  if (section === undefined) throw new Error(`There is no section ${title}.`)
  const folder = join(project, folderOf(title))
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  writeFiles(page, folder)
  writeFiles(section, folder)
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code)
  return { section, folder }
}

/** Starts the server of a section, and checks it with the packed CLI. */
async function check(title: string, { env = {}, files = {} } = {}) {
  const { section, folder } = follow(title, files)
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}/`
  const settings = { PORT: String(port), SIDECARD_SECRET: SECRET, ...env }
  await startServer(folder, commandOf(section, 'server'), settings, url)
  const options = [
    '-H',
    `x-sidecard-secret: ${SECRET}`,
    '--param',
    'account_id=acc_1',
    '--expect-auth',
    // The programs of the page know one customer.
    '--allow-unproven',
  ]
  const { exitCode, output } = await run(folder, 'sidecard', ['check', url, ...options])
  expect([exitCode, output]).toEqual([0, expect.stringContaining('not proven to conform')])
  const response = await fetch(`${url}?${FETCH}`, { headers: HEADERS })
  return (await response.json()) as object
}

/** Runs the app of a section in a test service, with the packed `sidecard/testing`. */
async function openIssue(
  title: string,
  {
    files = {},
    env = {},
    before = '',
  }: { files?: Record<string, string>; env?: Record<string, string>; before?: string } = {},
) {
  const { folder } = follow(title, files)
  writeFileSync(
    join(folder, 'open-issue.ts'),
    `import { createTestService } from 'sidecard/testing'
import { app } from './src/app.ts'
${before}
const env = { SIDECARD_SECRET: '${SECRET}', STAGE: 'staging' }
const service = createTestService(app, { env, headers: ${JSON.stringify(HEADERS)} })
for (const account_id of ['acc_1', 'acc_none']) {
  const { payload, outcome, failures } = await service.openIssue({ account_id })
  console.log('RESULT ' + JSON.stringify({ payload, outcome, failures: failures.map(({ kind }) => kind) }))
}
`,
  )
  const { exitCode, output } = await run(folder, 'node', ['open-issue.ts'], env)
  expect([exitCode, output]).toEqual([0, expect.anything()])
  const [known, unknown] = [...output.matchAll(/^RESULT (.+)$/gm)].map(([, json = '']) =>
    JSON.parse(json),
  )
  return { known, unknown, output }
}

/** Starts an HTTP server of the test. */
async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const PLAN = expect.objectContaining({ type: 'text', label: 'Plan', value: 'Pro' })
const ACCOUNT = { components: [{ type: 'card', components: expect.arrayContaining([PLAN]) }] }
const MRR = [{ header: { title: 'Northwind' }, components: [{ label: 'MRR', value: '€4,990.00' }] }]

/** The client of a project with Prisma, whose engine is not part of the package. */
const PRISMA = `import { Decimal } from '@prisma/client/runtime/client'
const account = { name: 'Northwind', mrr: new Decimal('4990.00') }
const findUnique = async ({ where: { id } }: { where: { id: string } }) => (id === 'acc_1' ? account : null)
export const prisma = { account: { findUnique } }
`

/** Seven orders of a shop. */
const ORDERS = `const placedAt = new Date('2026-11-20T09:00:00Z')
const order = { state: 'shipped', total: '40.00', currency: 'EUR', placedAt } as const
export const loadOrders = async () =>
  [1, 2, 3, 4, 5, 6, 7].map((number) => ({ ...order, number: '#' + number }))
`

const BROKEN_ORDERS = `export const loadOrders = async (): Promise<never> => {
  throw new RangeError('The database is down')
}
`

/** Follows each section, and checks what it promises. */
const RUNS: Readonly<Record<string, () => Promise<void>>> = {
  'Plain JavaScript': async () => {
    expect(await check('Plain JavaScript')).toMatchObject(ACCOUNT)
  },

  'npm workspaces': async () => {
    const { folder, section } = follow('npm workspaces')
    rmSync(join(folder, 'src'), { recursive: true })
    const [npm = '', ...words] = commandOf(section, 'install').map((word) =>
      word === 'sidecard' ? installed().tarball : word,
    )
    const result = await run(folder, npm, [...words, '--no-audit', '--no-fund'])
    expect([result.exitCode, result.output]).toEqual([0, expect.anything()])
    const port = await findFreePort()
    const env = { PORT: String(port), SIDECARD_SECRET: SECRET }
    const url = `http://127.0.0.1:${port}/`
    await startServer(folder, commandOf(section, 'server'), env, url)
    const response = await fetch(`${url}?${FETCH}`, { headers: HEADERS })
    expect(await response.json()).toMatchObject({ components: [PLAN] })
  },

  'Several environments': async () => {
    const files = { '.env.staging': `STAGE=staging\nSIDECARD_SECRET=${SECRET}\n` }
    expect(await check('Several environments', { files })).toMatchObject({
      header: { title: 'Billing (staging)' },
    })
  },

  drizzle: async () => {
    const before = `import { client } from './src/database.ts'
await client.exec("create table accounts (id text primary key, name text not null, mrr numeric(12, 2) not null); insert into accounts values ('acc_1', 'Northwind', 4990)")
process.once('beforeExit', () => client.close())`
    const { known, unknown } = await openIssue('drizzle', { before })
    expect(known).toMatchObject({ outcome: 'rendered', failures: [], payload: { components: MRR } })
    expect(unknown).toMatchObject({ outcome: 'not_found', failures: [] })
  },

  Prisma: async () => {
    const { known, unknown } = await openIssue('Prisma', { files: { 'src/prisma.ts': PRISMA } })
    expect(known).toMatchObject({ outcome: 'rendered', failures: [], payload: { components: MRR } })
    expect(unknown).toMatchObject({ outcome: 'not_found' })
  },

  pino: async () => {
    const { known, output } = await openIssue('pino')
    expect(known).toMatchObject({ outcome: 'rendered', failures: [] })
    const lines = output.split('\n').filter((line) => line.startsWith('{'))
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 30, requestType: 'fetch_data', status: 200 }),
    )
    expect(output).not.toContain('"account_id"')
  },

  Sentry: async () => {
    const bodies: string[] = []
    const url = await listen((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        bodies.push(body)
        response.end('{}')
      })
    })
    const files = { 'src/orders.ts': BROKEN_ORDERS }
    const env = { SENTRY_DSN: url.replace('//', '//public@') + '/1' }
    const before =
      "import * as Sentry from '@sentry/node'\nprocess.once('beforeExit', () => void Sentry.flush(2_000))"
    const { known } = await openIssue('Sentry', { files, env, before })
    expect(known).toMatchObject({ outcome: 'failed', failures: ['section_failed'] })
    const events = bodies.filter((body) => body.includes('The database is down')).join('\n')
    expect(events).toMatch(/"kind":"section_failed"/)
    expect(events).toMatch(/"section":"Orders"/)
    expect(events).not.toContain('acc_1')
  },

  'An API with OAuth': async () => {
    const requests: string[] = []
    const url = await listen((request, response) => {
      const { authorization = '' } = request.headers
      requests.push(`${request.method} ${request.url}`)
      response.setHeader('content-type', 'application/json')
      if (request.url === '/token') {
        const isKnown = authorization === `Basic ${btoa('client:password')}`
        response.statusCode = isKnown && requests.length > 1 ? 200 : 503
        response.end(JSON.stringify({ access_token: 't0ken', expires_in: 3_600 }))
        return
      }
      response.statusCode = authorization === 'Bearer t0ken' ? 200 : 401
      response.end('{"plan":"Pro"}')
    })
    const env = { API_URL: url, CLIENT_ID: 'client', CLIENT_SECRET: 'password' }
    const { known, unknown } = await openIssue('An API with OAuth', { env })
    // The first token request fails, and the token of the second one is used for all others.
    expect(known).toMatchObject({ failures: ['section_failed'] })
    expect(unknown).toMatchObject({
      failures: [],
      payload: { components: [{ components: [PLAN] }] },
    })
    expect(requests).toEqual(['POST /token', 'POST /token', 'GET /accounts/acc_none'])
  },

  'German texts': async () => {
    const { known, unknown } = await openIssue('German texts')
    const values = known.payload.components.map(({ value }: { value: string }) =>
      value.replaceAll(/\s/g, ' '),
    )
    expect(values).toEqual(['12.500', '4.990,00 €', '01.12.2026', 'Ja'])
    expect(JSON.stringify(unknown)).toContain('Zu diesem Ticket passt kein Kunde (Kontonummer).')
  },

  'A list of orders': async () => {
    const files = { 'src/orders.ts': ORDERS }
    const { known } = await openIssue('A list of orders', { files })
    expect(known.payload.components).toHaveLength(6)
    expect(known.payload.components[0].components[1].value).toBe('€40.00 on Nov 20, 2026')
    expect(known.payload.components[5]).toMatchObject({ type: 'button', label: 'All 7 orders' })
  },
}

/** Sections with code. The matrix runs those of hosts. */
const hosts: readonly string[] = NAMES.map((name) => hostOf(name).title)
const titles = sections
  .filter(({ title, blocks }) => title !== page.title && blocks.length > 0)
  .filter(({ title }) => !hosts.includes(title))
  .map(({ title }) => title)

test.each(titles)(
  '%s',
  async (title) => {
    const runStack = RUNS[title]
    expect(runStack).toBeTypeOf('function')
    await runStack?.()
  },
  120_000,
)

test('every block compiles in strict mode', async () => {
  const folder = join(project, 'compiled')
  for (const section of sections) {
    // The globals of these two are types of the runtimes.
    if (section.title === 'Bun' || section.title === 'Deno') continue
    const own = join(folder, folderOf(section.title))
    mkdirSync(own, { recursive: true })
    writeFiles(page, own)
    writeFiles(section, own)
  }
  writeFileSync(join(folder, 'prisma/src/prisma.ts'), PRISMA)
  for (const title of ['sentry', 'a-list-of-orders']) {
    writeFileSync(join(folder, title, 'src/orders.ts'), title === 'sentry' ? BROKEN_ORDERS : ORDERS)
  }
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom'],
    strict: true,
    noEmit: true,
    allowJs: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    paths: { 'billing-data': ['./npm-workspaces/packages/billing-data/index.ts'] },
  }
  const include = ['**/*.ts', '**/*.js']
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }))
  expect(await run(folder, 'tsc', ['-p', '.'])).toEqual({ exitCode: 0, output: '' })
}, 120_000)
