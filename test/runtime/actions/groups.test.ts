import {
  type ActionContext,
  cloudflareAccess,
  type SignIn,
  signedHeader,
  trustedHeader,
} from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES as messages } from '../../../src/runtime/actions/messages.ts'
import { createDesk } from '../../helpers/desk.ts'
import { setUp } from '../../helpers/open-id-stub.ts'
import { createSigner } from '../../helpers/signed-token.ts'

type Rule = (ctx: ActionContext) => unknown

/** Admits everyone whose groups are taken for empty. */
const notSuspended: Rule = (ctx) => !ctx.agent?.groups.includes('suspended')

type Source = (claims: object, options: object, allow: Rule) => Promise<Result>

interface Result {
  readonly page: { readonly status: number; readonly outcome: string | null; readonly html: string }
  readonly log: string
}

/** Opens the page of an action with these headers. */
async function openWith(signIn: SignIn, headers: object, allow: Rule): Promise<Result> {
  const desk = createDesk({ authorize: allow }, { signIn })
  const page = await desk.show(await desk.newLink(), { headers })
  return { page, log: desk.log() }
}

function expectUnknown({ page, log }: Result, problem: string): void {
  expect(page).toMatchObject({ status: 403, outcome: 'forbidden' })
  expect(page.html).toContain(messages.groupsUnknown)
  expect(log).toContain(problem)
}

const openId =
  (part: 'claims' | 'userInfo'): Source =>
  async (claims, options, allow) => {
    const groups = ['leads', 'suspended']
    const { provider, browser, link, logger } = await setUp(
      { groups, ...options },
      { authorize: allow },
    )
    provider[part] = { ...claims }
    const back = await browser.open(provider.authorize(await browser.follow(link)))
    const page = back.status === 303 ? await browser.open(link) : back
    return { page, log: JSON.stringify(logger.lines) }
  }

const signed: Source = async (claims, options, allow) => {
  const { sign, fetch } = await createSigner()
  const [issuer, audience, header] = ['https://proxy.example.com', 'app', 'x-token']
  const signIn = signedHeader({ header, issuer, audience, keys: issuer, fetch, ...options })
  return openWith(signIn, { [header]: await sign({ iss: issuer, aud: 'app', ...claims }) }, allow)
}

const access: Source = async (custom, options, allow) => {
  const { sign, fetch } = await createSigner()
  const token = await sign({ iss: 'https://acme.cloudflareaccess.com', aud: 'app', custom })
  const signIn = cloudflareAccess({ team: 'acme', audience: 'app', fetch, ...options })
  return openWith(signIn, { 'cf-access-jwt-assertion': token }, allow)
}

const SOURCES: Readonly<Record<string, Source>> = {
  'the ID token': openId('claims'),
  'the user info': openId('userInfo'),
  'a signed header': signed,
  'Cloudflare Access': access,
}

const each = Object.entries(SOURCES)

describe.each(each)('with groups in %s,', (_name, open) => {
  test.each([
    { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x' } } },
    { hasgroups: true },
    { hasgroups: 'true', groups: ['staff'] },
  ])('the sign-in fails if there are too many of them: %j', async (claims) => {
    const { page, log } = await open(claims, { omitsEmptyGroups: true }, () => true)
    expect(page).toMatchObject({ status: 403, outcome: 'forbidden' })
    expect(page.html).toContain(messages.tooManyGroups)
    expect(log).toContain(
      'The token has too many groups. Assign groups to the application, or use app roles.',
    )
  })

  test.each<[unknown, string]>([
    [undefined, 'set omitsEmptyGroups'],
    [null, 'set omitsEmptyGroups'],
    [4711, 'groups is a number'],
    [{ leads: true }, 'groups is an object'],
    [[['leads']], 'groups is an array with an array'],
    [['leads', 4711], 'groups is an array with a number'],
    ['staff suspended', 'groups is a text that may be a list'],
    ['staff,suspended', 'groups is a text that may be a list'],
    ['staff|suspended', 'groups is a text that may be a list'],
    ['["suspended"]', 'groups is a text that may be a list'],
  ])('nobody is admitted if the claim is %j', async (groups, problem) => {
    const options = { groupsClaim: 'groups' }
    const result = await open({ groups }, options, notSuspended)
    expectUnknown(result, 'The groups of the agent are not known.')
    expect(result.log).toContain(problem)
    expect(result.log).not.toMatch(/4711|leads|staff/)
  })

  test.each([
    [{ groups: [] }, {}],
    [{ groups: '' }, {}],
    [{}, { omitsEmptyGroups: true }],
    [{ groups: null }, { omitsEmptyGroups: true }],
    // Entra ID lists app roles even if there are too many groups.
    [{ roles: [], hasgroups: true, _claim_names: { groups: 'src1' } }, { groupsClaim: 'roles' }],
  ])('an agent without groups is known to have none: %j %j', async (claims, options) => {
    const both = { groupsClaim: 'groups', ...options }
    expect((await open(claims, both, notSuspended)).page).toMatchObject({ status: 200 })
    const onlyLeads: Rule = (ctx) => ctx.agent?.groups.includes('leads')
    const { page } = await open(claims, both, onlyLeads)
    expect(page.html).toContain('who may not do this')
  })
})

describe('with groups in a header,', () => {
  const EMAIL = 'x-auth-request-email'
  const GROUPS = 'x-auth-request-groups'
  const open = (groups: string | undefined, options: object, allow: Rule) => {
    const signIn = trustedHeader(EMAIL, { groupsHeader: GROUPS, ...options })
    const headers = groups === undefined ? {} : { [GROUPS]: groups }
    return openWith(signIn, { [EMAIL]: 'robin@acme.example', ...headers }, allow)
  }

  test.each([
    [undefined, 'set omitsEmptyGroups'],
    ['staff|suspended', 'Set the option separator.'],
    ['staff;suspended', 'Set the option separator.'],
    ['staff suspended', 'Set the option separator.'],
    ['["staff", "suspended"]', 'Set the option separator.'],
  ])('nobody is admitted if the header is %j', async (groups, problem) => {
    const result = await open(groups, {}, notSuspended)
    expectUnknown(result, problem)
    expect(result.log).not.toContain('staff')
  })

  test.each([
    ['', {}, 200],
    [undefined, { omitsEmptyGroups: true }, 200],
    ['staff|night shift', { separator: '|' }, 200],
    ['night shift', { separator: ',' }, 200],
    ['staff|suspended', { separator: '|' }, 403],
    ['staff  suspended', { separator: ' ' }, 403],
  ])('the groups of %j with %j are known', async (groups, options, status) => {
    const { page } = await open(groups, options, notSuspended)
    expect(page.status).toBe(status)
    expect(page.html).not.toContain(messages.groupsUnknown)
  })
})

describe('if the sign-in names no groups,', () => {
  const agent = { id: 'robin', email: 'robin@acme.example' }
  const deny = (groups: readonly string[] | undefined) => !groups?.includes('suspended')

  test.each<[string, Rule]>([
    ['asks for a group', (ctx) => ctx.agent?.groups.includes('leads')],
    ['excludes a group', notSuspended],
    ['tolerates missing groups', ({ agent: one }) => deny(one?.groups)],
    [
      'catches the error',
      (ctx) => {
        try {
          return notSuspended(ctx)
        } catch {
          return true
        }
      },
    ],
    ['reads a copy', ({ agent: one }) => deny({ ...one! }.groups)],
    ['reads JSON', ({ agent: one }) => deny(JSON.parse(JSON.stringify(one)).groups)],
    ['waits first', (ctx) => Promise.resolve().then(() => notSuspended(ctx))],
  ])('a rule denies everyone if it %s', async (_name, allow) => {
    const result = await openWith(() => agent, {}, allow)
    expectUnknown(result, 'Set groups of openIdConnect(), groupsClaim of signedHeader()')
  })

  test.each<[string, Source]>([
    ['openIdConnect()', (claims, _, allow) => openId('claims')(claims, { groups: [] }, allow)],
    ['signedHeader()', signed],
    ['cloudflareAccess()', access],
    ['trustedHeader()', (_, __, allow) => openWith(trustedHeader('x-id'), { 'x-id': 'a' }, allow)],
  ])('only rules about groups deny the agent of %s', async (_name, open) => {
    const { page } = await open({}, {}, notSuspended)
    expect(page).toMatchObject({ status: 403, outcome: 'forbidden' })
    expect((await open({}, {}, (ctx) => ctx.agent !== undefined)).page.status).toBe(200)
  })

  test('the content of the page cannot depend on them', async () => {
    const show: Rule = (ctx) => (ctx.agent?.groups.includes('leads') ? [] : null)
    const desk = createDesk({ show }, { signIn: () => agent })
    expectUnknown({ page: await desk.open(), log: desk.log() }, 'not known')
  })

  test('an action that records its agent still runs', async () => {
    const records: string[] = []
    const run = (ctx: ActionContext) => (records.push(JSON.stringify({ ...ctx.agent })), null)
    const desk = createDesk({ run }, { signIn: () => agent })
    expect(await desk.confirm(await desk.open())).toMatchObject({ outcome: 'done' })
    expect(records).toEqual([JSON.stringify(agent)])
  })
})

test.each([
  [['leads', 7], 'an array with a number'],
  [{ leads: true }, 'an object'],
  // A shortened list could lack the group that a rule excludes.
  [Array.from({ length: 10_001 }, () => 'staff'), 'an array of more than 10000'],
])('an agent whose groups have a different type is denied: %#', async (groups, type) => {
  const signIn = () => ({ id: 'robin', groups }) as never
  const { page, log } = await openWith(signIn, {}, notSuspended)
  expect(page).toMatchObject({ status: 403, outcome: 'forbidden' })
  expect(log).toContain(`The property groups of the agent is ${type}, expected an array of names.`)
})

test('a rule that asks for a group that openIdConnect() does not list denies the agent', async () => {
  const claims = { groups: ['suspended', 'staff'] }
  const { page, log } = await openId('claims')(claims, { groups: ['leads'] }, notSuspended)
  expect(page).toMatchObject({ status: 403, outcome: 'forbidden' })
  expect(log).toContain('Add suspended to the option groups of openIdConnect().')
})
