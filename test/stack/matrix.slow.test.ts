import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readPage } from '../helpers/actions.ts'
import { INSTALLED_PACKAGE } from '../helpers/build-package.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { run as runProgram, startServer } from './packed-project.ts'
import { commandOf, readSections, writeFiles } from './sections.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const guide = new URL('../../docs/guides/with-your-stack.md', import.meta.url)
const sections = readSections(guide)
const SECRET = 's3cret-of-the-matrix'
const HEADERS = { 'x-sidecard-secret': SECRET }
const FORM = {
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
}

const HOSTS = [
  'serve()',
  'node:http',
  'HTTP/2',
  'Express',
  'Fastify',
  'AWS Lambda',
  'Netlify',
  'Vercel',
  'Bun',
  'Deno',
  'Workers',
  'Workers with assets',
] as const
type Host = (typeof HOSTS)[number]

/** The code that reads the form before the app. */
const READERS = ['nobody', 'a parser of the host', 'a middleware'] as const
type Reader = (typeof READERS)[number]

/** The edit of a block that adds a parser of the host. Other hosts have none. */
const PARSERS: Partial<Record<Host, readonly [string, string]>> = {
  Express: ['express()', 'express().use(express.urlencoded())'],
  Fastify: [
    '(_request, _body, done) => done(null)',
    "{ parseAs: 'string' }, (_request, body, done) => done(null, body)",
  ],
}

/** Fastify keeps the result of a parser in its own request, where the app does not see it. */
const UNREADABLE: ReadonlyArray<readonly [Host, Reader]> = [['Fastify', 'a parser of the host']]

/** The hosts that this test does not run, with the reason. */
const EMPTY: Partial<Record<Host, string>> = {
  'node:http': 'Express calls the same handler',
  'HTTP/2': 'not tested',
  Vercel: 'the block has no actions',
  Workers: 'other tests run in workerd',
  'Workers with assets': 'not tested',
}

/** Writes the block of a host with the app of the matrix, and with the packages that it imports. */
function createProject(host: Host, reader: Reader): string {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-matrix-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  writeFiles(sectionOf(host), folder)
  mkdirSync(join(folder, 'src'), { recursive: true })
  writeFileSync(
    join(folder, 'src/app.ts'),
    readFileSync(new URL('matrix-app.ts', import.meta.url), 'utf8'),
  )
  const server = join(folder, 'src/server.ts')
  if (reader === 'a parser of the host') {
    const code = readFileSync(server, 'utf8')
    const edited = code.replace(...PARSERS[host]!)
    expect(edited).not.toBe(code)
    writeFileSync(server, edited)
  }
  mkdirSync(join(folder, 'node_modules'))
  for (const name of ['express', 'fastify', 'hono', 'zod']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  symlinkSync(INSTALLED_PACKAGE, join(folder, 'node_modules/sidecard'))
  return folder
}

const sectionOf = (host: Host) => {
  const title = host === 'serve()' ? 'Several environments' : host
  return sections.find((each) => each.title === title)!
}

const isUnreadable = (host: Host, reader: Reader) =>
  UNREADABLE.some(([one, by]) => one === host && by === reader)

function checkUnreadable({ heading }: { heading?: string | undefined }, output: string): void {
  expect(heading).toBe('The form could not be read')
  expect(output).toContain('Other code has read the form before the app')
}

async function runServer(host: Host, reader: Reader): Promise<void> {
  const folder = createProject(host, reader)
  const port = await findFreePort()
  const isMounted = host === 'Express' || host === 'Fastify'
  const url = `http://127.0.0.1:${port}${isMounted ? '/widgets/billing' : ''}`
  const env = { PORT: String(port), SIDECARD_SECRET: SECRET, PUBLIC_URL: url, READER: reader }
  writeFileSync(join(folder, '.env.staging'), '')
  const bin = join(root, 'node_modules/.bin')
  const [program = '', ...args] = commandOf(sectionOf(host), 'server')
  const server = startServer(folder, [join(bin, program), ...args], env)
  await server.ready(url)
  const get = async (query: string) => (await fetch(`${url}?${query}`, { headers: HEADERS })).json()
  const link = async (id: string) => {
    const payload: any = await get(`request_type=fetch_data&account_id=${id}`)
    return payload.components.find(({ type }: any) => type === 'button').url as string
  }
  expect(await get('request_type=verify&code=c1')).toEqual({ code: 'c1' })
  const page = await readPage(await fetch(await link('acc_1')))
  expect(page).toMatchObject({ status: 200, heading: 'Refund' })
  const confirm = async (days: string) => {
    const body = new URLSearchParams({ t: page.t!, form: page.form!, 'field-days': days })
    return readPage(await fetch(`${url}/actions`, { method: 'POST', headers: FORM, body }))
  }
  if (isUnreadable(host, reader)) return checkUnreadable(await confirm('7'), server.output())
  const wrong = await confirm('99')
  expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('value="99"')])
  expect((await confirm('7')).outcome).toBe('done')
  await link('acc_2')
  // The background work of the last responses has not ended. Bun and Deno end without it.
  if (host !== 'Bun' && host !== 'Deno') await server.stop()
  await expect.poll(() => server.output()).toContain('MATRIX fetched acc_2')
  expect(server.output()).toContain('MATRIX refunded acc_1 for 7 days')
  expect(server.output()).toMatch(/MATRIX audit .*"done"/)
}

/** Calls a function as its host does, which freezes the process after the response. */
const CALLS: Readonly<Record<string, string>> = {
  'AWS Lambda': `
import { handler } from './src/lambda.ts'
export const call = async (method: string, path: string, query: string, headers: Record<string, string>, body = '') => {
  const http = { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'x' }
  const requestContext = { http, domainName: 'x.example', stage: '$default' }
  const event = { version: '2.0', routeKey: '$default', rawPath: path || '/', rawQueryString: query, headers, requestContext, body: btoa(body), isBase64Encoded: true }
  const { statusCode, body: text } = (await handler(event as never, {} as never)) as { statusCode: number; body: string }
  return { status: statusCode, text }
}`,
  Netlify: `
import handler from './netlify/functions/billing.ts'
export const call = async (method: string, path: string, query: string, headers: Record<string, string>, body = '') => {
  const work: Promise<unknown>[] = []
  const url = 'https://x.example/widgets/billing' + path + (query && '?' + query)
  const init = { method, headers, ...(method === 'POST' && { body }) }
  const response = await handler(new Request(url, init), { waitUntil: (promise) => void work.push(promise) })
  const text = await response.text()
  while (work.length > 0) await Promise.all(work.splice(0))
  return { status: response.status, text }
}`,
}

async function callHandler(host: Host, reader: Reader): Promise<void> {
  const folder = createProject(host, reader)
  writeFileSync(join(folder, 'call.ts'), CALLS[host]!)
  writeFileSync(
    join(folder, 'main.ts'),
    `import { call } from './call.ts'
const secret = ${JSON.stringify(HEADERS)}
const verify = await call('GET', '', 'request_type=verify&code=c1', secret)
const fetched = await call('GET', '', 'request_type=fetch_data&account_id=acc_1', secret)
const { url } = JSON.parse(fetched.text).components.find(({ type }: any) => type === 'button')
const page = await call('GET', '/actions', new URL(url).search.slice(1), {})
const field = (name: string) => new RegExp('name="' + name + '" value="([^"]*)"').exec(page.text)?.[1] ?? ''
const body = (days: string) => String(new URLSearchParams({ t: field('t'), form: field('form'), 'field-days': days }))
const wrong = await call('POST', '/actions', '', ${JSON.stringify(FORM)}, body('99'))
const done = await call('POST', '/actions', '', ${JSON.stringify(FORM)}, body('7'))
console.log('RESULT ' + JSON.stringify([verify.text, page.status, wrong.status, done.status]))
process.exit()`,
  )
  const env = {
    SIDECARD_SECRET: SECRET,
    PUBLIC_URL: 'https://x.example/widgets/billing',
    READER: reader,
  }
  const { exitCode, output } = await runProgram(folder, 'node', ['main.ts'], env)
  expect([exitCode, output]).toEqual([0, expect.stringContaining('RESULT')])
  const result: unknown = JSON.parse(/^RESULT (.+)$/m.exec(output)?.[1] ?? '')
  expect(result).toEqual(['{"code":"c1"}', 200, 422, 200])
  expect(output).toContain('MATRIX fetched acc_1')
  expect(output).toContain('MATRIX refunded acc_1 for 7 days')
  expect(output).toMatch(/MATRIX audit .*"done"/)
}

const CELLS = HOSTS.flatMap((host) =>
  READERS.filter((reader) => reader !== 'a parser of the host' || host in PARSERS).map(
    (reader) => [host, reader] as const,
  ),
)
const isEmpty = (host: Host) => host in EMPTY

test.each(CELLS.filter(([host]) => !isEmpty(host)))(
  '%s serves all features if %s reads the form before the app',
  async (host, reader) => {
    const run = host in CALLS ? callHandler : runServer
    await expect(run(host, reader)).resolves.toBeUndefined()
  },
  60_000,
)

test('the matrix has at most ten empty cells, and the page shows them with their reasons', () => {
  expect(CELLS.filter(([host]) => isEmpty(host)).length).toBeLessThanOrEqual(10)
  const rows = HOSTS.map((host) => {
    const word = host in CALLS ? 'handler only' : '✓'
    const cells = READERS.map((reader) => {
      if (!CELLS.some(([one, by]) => one === host && by === reader)) return '–'
      if (isEmpty(host)) return '✗'
      return isUnreadable(host, reader) ? 'says why' : word
    })
    return [host, ...cells, EMPTY[host] ?? ''].join(' | ')
  })
  const text = readFileSync(guide, 'utf8')
  const shown = text.split('\n').flatMap((line) => {
    const cells = line.startsWith('|') ? line.split('|').slice(1, -1) : []
    return cells.length === 5 ? [cells.map((cell) => cell.trim()).join(' | ')] : []
  })
  expect(shown.slice(2)).toEqual(rows)
})
