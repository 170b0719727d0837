import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { noAuth, sidecard } from 'sidecard'
import { type Action, actions, memoryReceipts } from 'sidecard/actions'
import { expect, onTestFinished, test } from 'vitest'
import { createFollowUpTask } from '../../recipes/follow-up-task/src/follow-up-task.ts'
import { createRefund, createStripe } from '../../recipes/refund/src/refund.ts'
import { startPaymentServer } from '../../recipes/refund/test/payment-server.ts'
import { AGENT, confirmPage, openPage, readLinks, SECRET } from '../helpers/actions.ts'

const LAST_PAGE = { cursor: null, has_next_page: false }

/** The service's API on a port that stays the same after an outage. */
async function startApi() {
  const api = { tasks: [] as string[], isBusy: false, isDown: false, losesTasks: false }
  const respond = (status: number, body: object) =>
    [status, { 'content-type': 'application/json' }, JSON.stringify(body)] as const
  let server: Server | undefined
  const start = async (port: number) => {
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
      const isUsers = pathname.endsWith('/users')
      if (isUsers && api.isDown) void stop()
      const [status, headers, body] = isUsers
        ? respond(200, {
            data: [{ id: 'user_7', name: 'Kim' }],
            pagination: LAST_PAGE,
            request_id: 'r',
          })
        : api.isBusy
          ? respond(503, { message: 'busy' })
          : respond(201, { data: { id: 'task_1' }, request_id: 'r' })
      if (status === 201) api.tasks.push(searchParams.get('title') ?? '')
      response.writeHead(status, { ...headers, connection: 'close' }).end(body)
    })
    await new Promise<void>((resolve) => server!.listen(port, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  const stop = () => new Promise<unknown>((resolve) => server!.close(resolve))
  const port = await start(0)
  onTestFinished(async () => void (await stop()))
  return Object.assign(api, { url: `http://127.0.0.1:${port}`, stop, start: () => start(port) })
}

/** Opens the sidebar of an app with one action, as an agent does. */
function open(action: Action<any, any>, input: unknown, env: object) {
  const app = sidecard({
    name: 'Outages',
    header: { title: 'Outages' },
    auth: noAuth(),
    logger: false,
    fetchData: () => action.button(input as never),
    actions: actions({
      list: [action],
      secret: SECRET,
      signIn: () => AGENT,
      receipts: memoryReceipts(),
    }),
  })
  const path = '/?request_type=fetch_data&issue_id=issue_7&account_id=acme'
  const clock = { waitedMs: 0 }
  const settings = { now: () => Date.now() + clock.waitedMs }
  const show = async () =>
    openPage(app, (await readLinks(app, path, env, settings))[0]!, {}, env, settings)
  type Page = Awaited<ReturnType<typeof show>>
  const confirm = (page: Page, values: Record<string, string>) =>
    confirmPage(app, page, values, undefined, env, settings)
  return { clock, show, confirm }
}

async function openTask() {
  const api = await startApi()
  const env = { SIDECARD_API_URL: api.url, SIDECARD_API_TOKEN: 'token' }
  return { api, ...open(createFollowUpTask(), {}, env) }
}

const TASK = { title: 'Call back', due: '2099-03-01' }

test('a follow-up task that failed while the API was down can be confirmed once it is back', async () => {
  const { api, show, confirm } = await openTask()
  const page = await show()
  await api.stop()
  const failed = await confirm(page, TASK)
  expect(failed).toMatchObject({ status: 503, outcome: 'failed' })
  expect(failed.html).toContain('Call back')
  await api.start()
  expect(await confirm(page, TASK)).toMatchObject({ outcome: 'done' })
  expect((await show()).outcome).toBe('already_done')
  expect(api.tasks).toEqual(['Call back'])
})

test('after run could not connect, the page shows what was typed, and opens again', async () => {
  const { api, show, confirm } = await openTask()
  const page = await show()
  // The users are read once more, and then nothing listens.
  api.isDown = true
  const rejected = await confirm(page, TASK)
  expect(rejected).toMatchObject({ status: 409, outcome: 'refused' })
  expect(rejected.html).toContain('Call back')
  const [, again = ''] = /<a href="([^"]*)">Open it again</.exec(rejected.html) ?? []
  expect(again).toMatch(/^\/actions\?t=/)
  api.isDown = false
  await api.start()
  expect(await confirm(await show(), TASK)).toMatchObject({ outcome: 'done' })
  expect(api.tasks).toEqual(['Call back'])
})

test('after a 503, whose outcome is unknown, an agent who has looked confirms the task again', async () => {
  const { api, clock, show, confirm } = await openTask()
  api.isBusy = true
  const unknown = await confirm(await show(), TASK)
  expect(unknown).toMatchObject({ outcome: 'unknown' })
  // Nobody is told that it was done or not, and nothing is sent again.
  expect(await show()).toMatchObject({ outcome: 'unknown' })
  api.isBusy = false
  clock.waitedMs = 40_000
  const page = await confirm(await show(), { resolve: 'not_done' })
  expect(page).toMatchObject({ outcome: 'shown' })
  expect(await confirm(page, TASK)).toMatchObject({ outcome: 'done' })
  expect(api.tasks).toEqual(['Call back'])
})

test.each(['before', 'after'] as const)(
  'a refund that arrives %s the second confirmation is not paid twice',
  async (when) => {
    const payments = await startPaymentServer()
    onTestFinished(() => payments.close())
    const refund = createRefund((key) => createStripe(key, payments.config))
    const env = { STRIPE_REFUND_KEY: 'rk_test_1' }
    const { clock, show, confirm } = open(refund, { chargeId: 'ch_1', currency: 'EUR' }, env)
    const values = { amount: '10.00', reason: 'duplicate' }
    payments.isSlow = true
    expect(await confirm(await show(), values)).toMatchObject({ outcome: 'unknown' })
    payments.isSlow = false
    expect(await show()).toMatchObject({ outcome: 'unknown' })
    // Stripe knows of no refund, and the app expects that none can arrive any more.
    clock.waitedMs = 80_000
    const page = await show()
    if (when === 'before') payments.arrive()
    expect(await confirm(page, values)).toMatchObject({ outcome: 'done' })
    if (when === 'after') payments.arrive()
    await expect.poll(() => payments.arrived).toBeGreaterThan(0)
    expect(payments.refunds.map(({ amount }) => amount)).toEqual([1_000])
    expect((await show()).html).toContain('Last done')
  },
)
