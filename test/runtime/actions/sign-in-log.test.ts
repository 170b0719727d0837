import { type ActionContext, anyAgent } from 'sidecard/actions'
import { expect, test } from 'vitest'
import {
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
} from '../../helpers/actions.ts'
import { createRecordingLogger } from '../../helpers/app.ts'
import { setUp, signIn } from '../../helpers/open-id-stub.ts'

async function open(allow: (ctx: ActionContext, values: unknown) => unknown, agent: unknown) {
  const logger = createRecordingLogger()
  const rule = (ctx: ActionContext, _input: unknown, values: unknown) => allow(ctx, values)
  const app = createActionApp(
    createExtendTrial({ authorize: rule }),
    { signIn: () => agent as never },
    { logger },
  )
  const [link] = await readLinks(app)
  return { app, page: await openPage(app, link!), lines: logger.lines }
}

test('the log of a normal sign-in has no warning', async () => {
  const { provider, browser, link, logger } = await setUp()
  await signIn(browser, provider, link)
  const lines = logger.lines.filter(({ fields }) => fields['requestType'] === 'action')
  expect(lines.map(({ level, fields: { status, outcome } }) => [level, status, outcome])).toEqual([
    ['info', 303, 'sign_in'],
    ['info', 303, 'sign_in'],
    ['info', 200, 'shown'],
  ])
})

test.each([
  [200, 'info', 'sign_in'],
  [302, 'info', 'sign_in'],
  [403, 'warn', 'forbidden'],
])('a sign-in that responds with %i is logged as %s', async (status, level, outcome) => {
  const { lines } = await open(() => true, new Response(null, { status }))
  expect(lines.at(-1)).toMatchObject({ level, fields: { status, outcome } })
})

test('the log of a denied agent has the groups that the rule asked for, and those found', async () => {
  const agent = { id: 'agent-7', email: 'robin@acme.example', groups: ['staff', 'night'] }
  const { page, lines } = await open(
    ({ agent: one }) => one?.groups.includes('leads') || one!.groups.indexOf('finance') >= 0,
    agent,
  )
  expect(page.status).toBe(403)
  const groups = { asked: ['leads', 'finance'], found: ['staff', 'night'] }
  expect(lines.at(-1)).toMatchObject({ level: 'warn', fields: { outcome: 'forbidden', groups } })
  expect(JSON.stringify(lines)).not.toMatch(/agent-7|robin/)
})

test('the log has the groups of the rule that denied the confirmation', async () => {
  const allow = (ctx: ActionContext, values: unknown) =>
    values === undefined ? ctx.agent?.groups.includes('staff') : ctx.agent?.groups.includes('leads')
  const { app, page, lines } = await open(allow, { id: 'agent-7', groups: ['staff'] })
  expect(await confirmPage(app, page)).toMatchObject({ outcome: 'forbidden' })
  expect(lines.at(-1)?.fields['groups']).toEqual({ asked: ['leads'], found: ['staff'] })
  // An agent who may see the form is not in the log.
  expect(lines.at(-2)?.fields['groups']).toBeUndefined()
})

test('the log has at most twenty names of groups, first those that the rule asked for', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `${index}${'g'.repeat(200)}`)
  const { lines } = await open(
    ({ agent }) => agent?.groups.includes(names[29]!) && agent.groups.includes('leads'),
    { id: 'agent-7', groups: names },
  )
  const { asked, found }: any = lines.at(-1)!.fields['groups']
  expect(asked).toEqual([names[29]!.slice(0, 100), 'leads'])
  expect(found).toHaveLength(20)
  expect(found.slice(0, 2)).toEqual([names[29]!.slice(0, 100), names[0]!.slice(0, 100)])
})

test('a rule that reads the groups in a different way is logged with those found', async () => {
  const agent = { id: 'agent-7', groups: ['staff'] }
  const { lines } = await open((ctx) => ctx.agent?.groups.some((one) => one === 'leads'), agent)
  expect(lines.at(-1)?.fields['groups']).toEqual({ asked: [], found: ['staff'] })
  const anyone = await open(() => false, anyAgent()(undefined as never))
  expect(anyone.lines.at(-1)?.fields['groups']).toBeUndefined()
})
