import { noAuth, sidecard, text } from 'sidecard'
import { actions, memoryReceipts, openIdConnect } from 'sidecard/actions'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod/mini'
import {
  AGENT,
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  PUBLIC_URL,
  readLinks,
  SECRET,
} from '../../helpers/actions.ts'
import { createRecordingLogger, FETCH_DATA } from '../../helpers/app.ts'
import { createDesk } from '../../helpers/desk.ts'

const OTHER = 'another-secret-of-more-than-32-characters'
const LOCAL =
  'Actions are only available on this machine: publicUrl of actions() is not an http or https URL.'
const missing = (what: string) =>
  `Actions are not available: set ${what} to at least 32 characters of printable ASCII (openssl rand -hex 32).`
const [NO_SECRET, NO_RECEIPT_SECRET] = ['secret', 'receiptSecret'].map((name) =>
  missing(`the option ${name} of actions()`),
) as [string, string]

/** Lists what a host says at start. */
async function list(env: object, options: object = {}) {
  const app = createActionApp(createExtendTrial(), options)
  const hooks = app.routes.map(({ handler }: any) => handler[Symbol.for('sidecard.setup')])
  return (await Promise.all(hooks.map((each) => each?.(env) ?? []))).flat()
}

test.each<[string, object, readonly string[]]>([
  ['a public URL', { publicUrl: () => undefined }, [LOCAL]],
  ['a public URL without an error', { publicUrl: () => Promise.reject(new Error('x')) }, [LOCAL]],
  ['a public URL without a query', { publicUrl: () => 'https://a.example/?x=1' }, [LOCAL]],
  ['a secret', { secret: undefined }, [NO_SECRET]],
  ['a secret of 32 characters', { secret: 'x'.repeat(31) }, [NO_SECRET]],
  ['a binding', { secret: { binding: 'ACTION_SECRET' } }, [missing('ACTION_SECRET')]],
  ['a secret for receipts', { receiptSecret: () => '' }, [NO_RECEIPT_SECRET]],
  ['the binding for receipts', { receiptSecret: { binding: 'RECEIPTS' } }, [missing('RECEIPTS')]],
  [
    'everything',
    { publicUrl: () => '', secret: () => '', receiptSecret: () => '' },
    [LOCAL, NO_SECRET, NO_RECEIPT_SECRET],
  ],
])('an app that lacks %s says so at its start and in its sidebar', async (_, options, problems) => {
  expect(await list({}, options)).toEqual(problems)
  const logger = createRecordingLogger()
  const app = createActionApp(createExtendTrial(), options, { logger })
  const response = await app.request(`https://app.example${FETCH_DATA}`)
  expect(response.headers.get('x-sidecard-failure')).toBeNull()
  const { components } = await response.json()
  expect(components[0].url).toBe('https://app.example/actions?unavailable')
  expect(logger.lines.map(({ fields }) => fields)).toContainEqual(
    expect.objectContaining({ msg: 'sidecard actions', app: 'Billing', problems }),
  )
  for (const query of ['?unavailable', '?t=x']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const page = await app.request(`https://app.example/actions${query}`)
    expect(page.status).toBe(503)
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(await page.text()).toContain('Not available')
  }
})

test('a public URL that is not known after two seconds is missing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const listing = list({}, { publicUrl: () => new Promise(() => undefined) })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await listing).toEqual([LOCAL])
})

const client = (clientSecret: unknown) => ({
  signIn: openIdConnect({ issuer: 'https://id.example', clientId: 'a', clientSecret } as never),
})
const OIDC = { binding: 'OIDC_CLIENT_SECRET' }
const fromOidc = (env: any) => env.SECRET
const DEV = { SIDECARD_DEV: '1' }
const local = { publicUrl: 'http://localhost:8787' }
const WARNING =
  'SIDECARD_DEV=1 signs everyone on this machine in as the developer, for the pages of actions. Remove it on a server.'

test.each<[string, object, object, readonly (string | RegExp)[]]>([
  ['nothing', {}, {}, []],
  ['a secret of 32 characters', {}, { secret: 'x'.repeat(32) }, []],
  ['a binding with the secret', { A: SECRET }, { secret: { binding: 'A' } }, []],
  ['a missing client secret', {}, client(OIDC), [/set OIDC_CLIENT_SECRET to the secret of this/]],
  ['no client secret from a function', {}, client(fromOidc), [/clientSecret/]],
  ['a client secret', { OIDC_CLIENT_SECRET: 's3cret' }, client(OIDC), []],
  ['a client secret from a function', { SECRET: 's3cret' }, client(fromOidc), []],
  ['a client without a secret', {}, client(undefined), []],
  ['SIDECARD_DEV on a server', DEV, { secret: undefined }, [WARNING]],
  ['SIDECARD_DEV on this machine', DEV, { publicUrl: undefined }, []],
  ['SIDECARD_DEV with a local URL', DEV, local, []],
  ['SIDECARD_DEV in production', { ...DEV, NODE_ENV: 'production' }, local, [WARNING]],
  ['production', { NODE_ENV: 'production' }, {}, []],
])('a start with %s lists its problems', async (_, env, options, problems) => {
  expect(await list(env, options)).toEqual(problems.map((one) => expect.stringMatching(one)))
})

test('a shorter secret in a list does not count', async () => {
  const create = (...secret: string[]) =>
    createActionApp(createExtendTrial(), { secret: () => secret, receipts: memoryReceipts() })
  const [link] = await readLinks(create('x'.repeat(31), SECRET))
  expect(await openPage(create(SECRET), link!)).toMatchObject({ outcome: 'shown' })
})

test('a link that would be too long leads to the page that says that it is not available', async () => {
  const desk = createDesk()
  const link = await desk.newLink(`/?request_type=fetch_data&account_id=${'x'.repeat(1_500)}`)
  expect(link).toBe(`${PUBLIC_URL}/actions?unavailable`)
  expect(desk.log()).toContain('The input of extend-trial is too long for a link.')
  expect(await desk.show(link)).toMatchObject({ status: 503, heading: 'Not available' })
})

test('a secret binding is read although a schema of the bindings does not know it', async () => {
  const extendTrial = createExtendTrial()
  const app = sidecard(z.object({ REGION: z.string() }), {
    name: 'Billing',
    header: { title: 'Billing' },
    auth: noAuth(),
    logger: false,
    fetchData: () => [extendTrial.button({ accountId: 'a' })],
    actions: actions({
      list: [extendTrial as never],
      publicUrl: PUBLIC_URL,
      secret: { binding: 'ACTION_SECRET' },
      signIn: () => AGENT,
      receipts: memoryReceipts(),
    }),
  })
  const env = { REGION: 'eu', ACTION_SECRET: SECRET }
  const [link] = await readLinks(app, FETCH_DATA, env)
  const page = await openPage(app, link!, {}, env)
  expect(await confirmPage(app, page, undefined, undefined, env)).toMatchObject({ outcome: 'done' })
  const without = await openPage(app, link!, {}, { ACTION_SECRET: SECRET })
  expect(without).toMatchObject({ status: 503, outcome: 'failed', t: undefined })
})

describe('the page is below', () => {
  test.each([
    ['a public URL', PUBLIC_URL, '/sidebar/actions'],
    ['a public URL that ends in slashes', `${PUBLIC_URL}//`, '/sidebar/actions'],
    ['a public URL without a path', new URL(PUBLIC_URL).origin, '/actions'],
  ])('%s', async (_, publicUrl, path) => {
    const desk = createDesk({}, { publicUrl })
    const link = await desk.newLink()
    expect(link).toContain(`https://billing.example.com${path}?t=`)
    const page = await desk.show(link)
    expect(page.html).toContain(`<form method="post" action="${path}">`)
    expect(await desk.confirm(page)).toMatchObject({ outcome: 'done' })
  })

  test('the URL of a test or of a request on loopback, and no other one', async () => {
    const app = createActionApp(createExtendTrial(), { publicUrl: undefined as never })
    const [link] = await readLinks(app, `http://127.0.0.1:8787${FETCH_DATA}`)
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:8787\/actions\?t=/)
    const [other] = await readLinks(app, `https://app.example${FETCH_DATA}#x`)
    expect(other).toMatch(/^https:\/\/app\.example\/actions\?t=/)
    const readUrl = async (origin: string) =>
      (await (await app.request(`${origin}/?request_type=fetch_data`)).json()).components[0].url
    expect(await readUrl('http://[::1]:8787')).toContain('http://[::1]:8787/actions?t=')
    expect(await readUrl('https://app.example')).toBe('https://app.example/actions?unavailable')
  })
})

test.each<[string, object, object, number]>([
  ['without a problem', {}, {}, 1],
  ['without a button', { secret: '' }, { fetchData: () => [text({ label: 'a', value: 'b' })] }, 0],
])('a sidebar %s writes no line about actions', async (_, options, appOptions, count) => {
  const logger = createRecordingLogger()
  const receipts = vi.fn(() => undefined as never)
  const all = { publicUrl: 'https://app.example', receipts, ...options }
  const app = createActionApp(undefined, all, { logger, ...appOptions })
  const response = await app.request(`https://app.example${FETCH_DATA}`)
  expect(response.headers.get('x-sidecard-failure')).toBeNull()
  expect(JSON.stringify(logger.lines)).not.toContain('sidecard actions')
  // The receipts are opened before the page needs them.
  expect(receipts).toHaveBeenCalledTimes(count)
})

test('the form outlives a rotation of the secret, and no link outlives two', async () => {
  let secret: string[] = [SECRET]
  const desk = createDesk({}, { secret: () => secret })
  const link = await desk.newLink()
  const page = await desk.show(link)
  secret = [OTHER, SECRET]
  expect(await desk.confirm(page)).toMatchObject({ outcome: 'done' })
  secret = [OTHER]
  expect(await desk.show(link)).toMatchObject({ outcome: 'invalid', status: 400 })
})

test('receipts keep their own secret when that of the links is replaced, in a list too', async () => {
  const receipts = memoryReceipts()
  const create = (options: object) =>
    createDesk({ uniqueKey: () => 'intent' }, { receipts, ...options })
  const show = async (options: object) => (await create(options).open()).html
  const desk = create({ secret: [SECRET] })
  await desk.confirm(await desk.open())
  expect(await show({ secret: [OTHER, SECRET] })).toContain('r3sult')
  expect(await show({ secret: [OTHER] })).not.toContain('r3sult')
  expect(await show({ secret: [OTHER], receiptSecret: [OTHER, SECRET] })).toContain('r3sult')
})

describe('during development', () => {
  // Workers accept receipts in memory only in tests, and these requests come from a host.
  const create = () =>
    createActionApp(undefined, {
      signIn: () => Promise.reject(new Error('no sign-in')),
      receipts: { ...memoryReceipts() },
      secret: { binding: 'NONE' },
    })
  const readQuery = async (app: ReturnType<typeof create>, origin: string, env: object) => {
    const response = await app.request(`${origin}/?request_type=fetch_data&account_id=a`, {}, env)
    return new URL((await response.json()).components[0].url).search
  }

  test('a developer is the agent on loopback only, with the variable only', async () => {
    const status = async (origin: string, env: object) => {
      const app = create()
      const path = `${origin}/actions${await readQuery(app, origin, env)}`
      return (await app.request(path, {}, env)).status
    }
    expect(await status('http://localhost:8787', DEV)).toBe(200)
    expect(await status('http://localhost:8787', {})).toBe(503)
    expect(await status('https://billing.example', DEV)).toBe(503)
  })

  test('two apps without a secret do not accept the links of each other', async () => {
    const url = `http://localhost/actions${await readQuery(create(), 'http://localhost', DEV)}`
    expect((await create().request(url, {}, DEV)).status).toBe(400)
  })
})

test('a host without bindings opens the page', async () => {
  const app = createActionApp(undefined, { receipts: () => ({ ...memoryReceipts() }) })
  const response = await app.request(FETCH_DATA, {}, null as never)
  const { search } = new URL((await response.json()).components[0].url)
  expect((await app.request(`/actions${search}`, {}, null as never)).status).toBe(200)
})

test('bindings that are invalid make the page unavailable', async () => {
  const logger = createRecordingLogger()
  const receipts = () => expect.unreachable('no database')
  const app = createActionApp(createExtendTrial(), { receipts }, { logger })
  const [link] = await readLinks(app)
  expect(await openPage(app, link!)).toMatchObject({ status: 503, outcome: 'failed' })
  expect(JSON.stringify(logger.lines)).toContain('no database')
})
