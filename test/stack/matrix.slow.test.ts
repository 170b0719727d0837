import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readPage } from '../helpers/actions.ts'
import { INSTALLED_PACKAGE } from '../helpers/build-package.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { run, startServer } from './packed-project.ts'
import { commandOf, readSections, writeFiles } from './sections.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sections = readSections(new URL('../../docs/guides/with-your-stack.md', import.meta.url))
const SECRET = 's3cret-of-the-matrix'
const HEADERS = { 'x-sidecard-secret': SECRET }
const FORM = {
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
}

/** Who reads the form before the app, as an edit of the block. */
const READERS: Readonly<Record<string, (code: string) => string>> = {
  nobody: (code) => code,
  'the parser of Express': (code) =>
    code.replace('express()', 'express().use(express.urlencoded())'),
  'a middleware of Hono': (code) =>
    code.replace(
      'new Hono()',
      'new Hono().use(async (c, next) => (await c.req.parseBody(), next()))',
    ),
}

/** The hosts of the page, and those that a program can reach with HTTP. */
const SERVERS = [
  ['Express', '/widgets/billing', 'nobody'],
  ['Express', '/widgets/billing', 'the parser of Express'],
  ['Fastify', '/widgets/billing', 'nobody'],
  ['Fastify', '/widgets/billing', 'a middleware of Hono'],
  ['Several environments', '', 'nobody'],
  ['Bun', '', 'nobody'],
  ['Deno', '', 'nobody'],
] as const

/** Runtimes whose block leaves signals to the runtime, which ends without waiting. */
const WITHOUT_STOP = ['Bun', 'Deno']

/** Writes the block of a host with the app of the matrix, and with the packages that it imports. */
function createProject(title: string, reader: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-matrix-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  writeFiles(
    sections.find((each) => each.title === title)!,
    folder,
  )
  mkdirSync(join(folder, 'src'), { recursive: true })
  writeFileSync(
    join(folder, 'src/app.ts'),
    readFileSync(new URL('matrix-app.ts', import.meta.url), 'utf8'),
  )
  const server = join(folder, 'src/server.ts')
  if (reader !== 'nobody') {
    const code = readFileSync(server, 'utf8')
    const edited = READERS[reader]!(code)
    expect(edited).not.toBe(code)
    writeFileSync(server, edited)
  }
  mkdirSync(join(folder, 'node_modules'))
  for (const name of [
    'express',
    'fastify',
    'hono',
    'zod',
    '.bin',
    '@hono',
    'jose',
    'oauth4webapi',
  ]) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  symlinkSync(INSTALLED_PACKAGE, join(folder, 'node_modules/sidecard'))
  return folder
}

test.each(SERVERS)(
  '%s at %j serves all features when %s reads the form first',
  async (title, path, reader) => {
    const folder = createProject(title, reader)
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}${path}`
    const env = { PORT: String(port), SIDECARD_SECRET: SECRET, PUBLIC_URL: url, STAGE: 'x' }
    writeFileSync(join(folder, '.env.staging'), '')
    const section = sections.find((each) => each.title === title)!
    const server = startServer(folder, commandOf(section, 'server'), env)
    await server.ready(url)
    const get = async (query: string) =>
      (await fetch(`${url}?${query}`, { headers: HEADERS })).json()
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
    const wrong = await confirm('99')
    expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('value="99"')])
    expect((await confirm('7')).outcome).toBe('done')
    await link('acc_2')
    if (!WITHOUT_STOP.includes(title)) {
      // The background work of the last responses has not ended.
      await server.stop()
    }
    await expect.poll(() => server.output()).toContain('MATRIX fetched acc_2')
    expect(server.output()).toContain('MATRIX refunded acc_1 for 7 days')
    expect(server.output()).toMatch(/MATRIX audit .*"done"/)
  },
  60_000,
)

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

test.each(Object.entries(CALLS))('the handler of %s serves all features', async (title, code) => {
  const folder = createProject(title, 'nobody')
  writeFileSync(join(folder, 'call.ts'), code)
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
  const env = { SIDECARD_SECRET: SECRET, PUBLIC_URL: 'https://x.example/widgets/billing' }
  const { exitCode, output } = await run(folder, 'node', ['main.ts'], env)
  expect([exitCode, output]).toEqual([0, expect.stringContaining('RESULT')])
  const result: unknown = JSON.parse(/^RESULT (.+)$/m.exec(output)?.[1] ?? '')
  expect(result).toEqual(['{"code":"c1"}', 200, 422, 200])
  expect(output).toContain('MATRIX fetched acc_1')
  expect(output).toContain('MATRIX refunded acc_1 for 7 days')
  expect(output).toMatch(/MATRIX audit .*"done"/)
})
