import { noAuth, sidecard } from 'sidecard'
import { actions, memoryReceipts } from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
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
import { FETCH_DATA } from '../../helpers/app.ts'

const OTHER = 'another-secret-of-more-than-32-characters'
const LOCAL =
  'Actions are only available on this machine: publicUrl of actions() is not an http or https URL.'
const missing = (what: string) =>
  `Actions are not available: set ${what} to at least 32 characters of printable ASCII (openssl rand -hex 32).`

/** Lists what a host says at start. */
async function list(env: object, options: object = {}) {
  const app = createActionApp(createExtendTrial(), options)
  const hooks = app.routes.map(({ handler }: any) => handler[Symbol.for('sidecard.setup')])
  return (await Promise.all(hooks.map((each) => each?.(env) ?? []))).flat()
}

test.each<[string, object, readonly string[]]>([
  ['nothing', {}, []],
  ['a public URL', { publicUrl: () => undefined }, [LOCAL]],
  ['a public URL without an error', { publicUrl: () => Promise.reject(new Error('x')) }, [LOCAL]],
  ['a secret', { secret: undefined }, [missing('the option secret of actions()')]],
  [
    'a secret of 32 characters',
    { secret: 'x'.repeat(31) },
    [missing('the option secret of actions()')],
  ],
  ['a binding', { secret: { binding: 'ACTION_SECRET' } }, [missing('ACTION_SECRET')]],
  [
    'a secret for receipts',
    { receiptSecret: () => '' },
    [missing('the option receiptSecret of actions()')],
  ],
  ['the binding for receipts', { receiptSecret: { binding: 'RECEIPTS' } }, [missing('RECEIPTS')]],
  [
    'everything',
    { publicUrl: () => '', secret: () => '', receiptSecret: () => '' },
    [
      LOCAL,
      missing('the option secret of actions()'),
      missing('the option receiptSecret of actions()'),
    ],
  ],
])('a start that lacks %s says so', async (_, options, problems) => {
  expect(await list({}, { ...options })).toEqual(problems)
})

test('a secret has at least 32 characters, and a shorter one in a list does not count', async () => {
  expect(await list({}, { secret: 'x'.repeat(32) })).toEqual([])
  const short = 'x'.repeat(31)
  const create = (secret: string[]) =>
    createActionApp(createExtendTrial(), { secret: () => secret, receipts: memoryReceipts() })
  const [link] = await readLinks(create([short, SECRET]))
  expect(await openPage(create([SECRET]), link!)).toMatchObject({ outcome: 'shown' })
})

test('a development variable on a server is reported, whatever else is missing', async () => {
  const warning =
    'SIDECARD_DEV=1 signs everyone on this machine in as the developer, for the pages of actions. Remove it on a server.'
  expect(await list({ SIDECARD_DEV: '1' }, { secret: undefined })).toEqual([warning])
  expect(await list({ SIDECARD_DEV: '1' }, { publicUrl: undefined })).toEqual([])
  const production = { SIDECARD_DEV: '1', NODE_ENV: 'production' }
  expect(await list(production, { publicUrl: undefined })).toEqual([warning])
  expect(await list({ NODE_ENV: 'production' })).toEqual([])
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
    ['a public URL', PUBLIC_URL, `${PUBLIC_URL}/actions?t=`],
    ['a public URL that ends in slashes', `${PUBLIC_URL}//`, `${PUBLIC_URL}/actions?t=`],
    [
      'a public URL without a path',
      'https://billing.example',
      'https://billing.example/actions?t=',
    ],
  ])('%s', async (_, publicUrl, start) => {
    const app = createActionApp(createExtendTrial(), { publicUrl })
    const [link] = await readLinks(app)
    expect(link!.slice(0, start.length)).toBe(start)
    const page = await openPage(app, link!)
    const { pathname } = new URL(start)
    expect(page.html).toContain(`<form method="post" action="${pathname}">`)
    expect(await confirmPage(app, page)).toMatchObject({ outcome: 'done' })
  })

  test('the URL of a test or of a request on loopback, with and without a slash', async () => {
    const app = createActionApp(createExtendTrial(), { publicUrl: undefined as never })
    const [link] = await readLinks(app, `http://127.0.0.1:8787${FETCH_DATA}`)
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:8787\/actions\?t=/)
    const [other] = await readLinks(app, `https://app.example${FETCH_DATA}#x`)
    expect(other).toMatch(/^https:\/\/app\.example\/actions\?t=/)
  })
})

test('receipts keep their own secret when that of the links is replaced, in a list too', async () => {
  const receipts = memoryReceipts()
  const once = () => 'intent'
  const create = (options: object) =>
    createActionApp(createExtendTrial({ uniqueKey: once }), { receipts, ...options })
  const open = async (options: object) => {
    const app = create(options)
    const [link] = await readLinks(app)
    return { app, page: await openPage(app, link!) }
  }
  const { app, page } = await open({ secret: [SECRET] })
  await confirmPage(app, page)
  expect((await open({ secret: [OTHER, SECRET] })).page.html).toContain('in 7 days')
  expect((await open({ secret: [OTHER] })).page.html).not.toContain('in 7 days')
  expect((await open({ secret: [OTHER], receiptSecret: [OTHER, SECRET] })).page.html).toContain(
    'in 7 days',
  )
})
