import type { Page } from 'playwright-core'
import { badge, dateTime, link, money, noAuth, sidecard, text } from 'sidecard'
import {
  action,
  ActionError,
  actions,
  type Agent,
  memoryReceipts,
  moneyField,
  numberField,
  selectField,
  textField,
} from 'sidecard/actions'
import { serve } from 'sidecard/node'
import { z } from 'zod/mini'
import { findFreePort } from '../../helpers/free-port.ts'
import { AGENT, confirmPage, openPage, readLinks, SECRET } from '../../helpers/actions.ts'

/** What the next request to the page meets. */
export interface ActionWorld {
  agent: Agent | undefined
  run: () => unknown
  /** Called before the page shows who is affected. */
  show: () => void
  messages: Record<string, unknown>
}

/** The customer that the page shows. */
const WHO = [
  text({ label: 'Account', value: 'Acme Industries' }),
  dateTime({ label: 'Trial ends', value: '2026-12-01T09:00:00Z' }),
  badge({
    label: 'Status',
    items: [
      { value: 'Trialing', color: 'blue' },
      { value: '2 days left', color: 'orange' },
    ],
  }),
  link({ label: 'Open in admin', url: 'https://admin.example.com/accounts/7' }),
]

/** Serves an app whose action can end in every way. */
export async function serveActions(messages: Record<string, unknown> = {}) {
  const world: Omit<ActionWorld, 'messages'> = {
    agent: AGENT,
    run: () => undefined,
    show: () => undefined,
  }
  let runs = 0
  const port = await findFreePort()
  const base = `http://127.0.0.1:${port}`
  const extendTrial = action()({
    name: 'extend-trial',
    label: 'Extend trial',
    input: z.object({ accountId: z.string() }),
    form: {
      days: numberField({ label: 'Days', min: 1, max: 30, value: 14 }),
      plan: selectField({ label: 'Plan', options: { team: 'Team', business: 'Business' } }),
      reason: textField({
        label: 'Reason',
        maxLength: 500,
        multiline: true,
        optional: true,
        hint: 'For your colleagues',
      }),
    },
    authorize: (ctx) => ctx.agent?.id !== 'intern',
    canSetOutcome: (ctx) => ctx.agent?.groups.includes('leads') === true,
    summary: (_input, { days, plan }) => `Extend by ${days} days, plan ${plan}`,
    review: false,
    show: () => {
      world.show()
      return WHO
    },
    async run(_ctx, _input, { days }) {
      runs += 1
      await world.run()
      return [
        dateTime({
          label: 'Trial ends',
          value: `2026-12-${String(1 + (days % 28)).padStart(2, '0')}T09:00:00Z`,
        }),
      ]
    },
  })
  const refund = action()({
    name: 'refund',
    label: 'Refund',
    input: z.object({ orderId: z.string() }),
    form: {
      amount: moneyField({ label: 'Amount', currency: 'EUR', value: 1_050 }),
      reason: textField({ label: 'Reason' }),
    },
    summary: (_input, { amount }) => `Refund ${money(amount, 'EUR')} to Acme Industries`,
    show: () => WHO,
    run: async () => {
      runs += 1
      await world.run()
    },
  })
  const app = sidecard({
    name: 'billing',
    header: { title: 'Billing' },
    auth: noAuth(),
    logger: false,
    fetchData: () => [extendTrial.button({ accountId: 'acme' }), refund.button({ orderId: '7' })],
    actions: actions({
      list: [extendTrial, refund],
      publicUrl: base,
      secret: SECRET,
      signIn: Object.assign(
        () => {
          if (world.agent === undefined) throw new Error('not signed in')
          return world.agent
        },
        { canSignOut: true },
      ),
      receipts: memoryReceipts({ now: () => Date.now() }),
      messages,
    }),
  })
  const server = await serve(app, { port, handleSignals: false, env: {} })
  const createLink = async (agoMs = 0) => {
    const [url] = await readLinks(app, undefined, {}, { now: () => Date.now() - agoMs })
    return url!
  }
  const createRefundLink = async () => (await readLinks(app, undefined, {}))[1]!
  return {
    world,
    app,
    createLink,
    createRefundLink,
    url: server.url,
    close: () => server.close(),
    countRuns: () => runs,
  }
}

export type ActionServer = Awaited<ReturnType<typeof serveActions>>

/** Opens every state of the page, by name. */
export const STATES: Readonly<Record<string, (page: Page, server: ActionServer) => Promise<void>>> =
  {
    form: async (page, { createLink }) => {
      await page.goto(await createLink())
    },
    'field errors': async (page, { createLink }) => {
      await page.goto(await createLink())
      await fill(page, '99')
      // A browser checks the form itself, so the limits are removed as an old browser would.
      await page.evaluate(() => document.querySelector('form')!.setAttribute('novalidate', ''))
      await page.getByRole('button', { name: 'Extend trial' }).click()
    },
    review: async (page, { createRefundLink }) => {
      await page.goto(await createRefundLink())
      await page.getByLabel('Reason').fill('The parcel was late.')
      await page.getByRole('button', { name: 'Review' }).click()
    },
    done: async (page, { createLink }) => {
      await page.goto(await createLink())
      await confirm(page)
    },
    'already done': async (page, { createLink }) => {
      const url = await createLink()
      await page.goto(url)
      await confirm(page)
      await page.goto(url)
    },
    'in progress': async (page, server) => {
      const url = await server.createLink()
      await openWhileRunning(page, server, url, url)
    },
    'while another one runs': async (page, server) => {
      await openWhileRunning(page, server, await server.createLink(), await server.createLink())
    },
    failed: async (page, { createLink, world }) => {
      world.show = () => {
        throw new Error('database')
      }
      await page.goto(await createLink())
    },
    'no longer possible': async (page, { createLink, world }) => {
      world.show = () => {
        throw new ActionError('The account is closed.')
      }
      await page.goto(await createLink())
    },
    'expired while typing': async (page, { createLink }) => {
      await page.goto(await createLink())
      const expired = await createLink(7_200_000)
      const token = new URL(expired).searchParams.get('t')!
      await page.locator('input[name="t"]').evaluate((field, value) => {
        ;(field as HTMLInputElement).value = value
      }, token)
      await confirm(page)
    },
    expired: async (page, { createLink }) => {
      await page.goto(await createLink(7_200_000))
    },
    'not valid': async (page, { url }) => {
      await page.goto(`${url}/actions?t=abc`)
    },
    'without a link': async (page, { url }) => {
      await page.goto(`${url}/actions`)
    },
    forbidden: async (page, { createLink, world }) => {
      world.agent = { id: 'intern', email: 'sam@acme.example', groups: [] }
      await page.goto(await createLink())
    },
    'not signed in': async (page, { createLink, world }) => {
      world.agent = undefined
      await page.goto(await createLink())
    },
    'not done': async (page, { createLink, world }) => {
      world.run = () => Promise.reject(new ActionError('The trial was already extended twice.'))
      await page.goto(await createLink())
      await confirm(page)
    },
    'unknown outcome': async (page, { createLink, world }) => {
      world.run = () => Promise.reject(new Error('lost connection'))
      await page.goto(await createLink())
      await confirm(page)
    },
    'after an unknown outcome': async (page, { createLink, world }) => {
      world.run = () => Promise.reject(new Error('lost connection'))
      await page.goto(await createLink())
      await confirm(page)
      await page.goto(await createLink())
    },
    'to resolve': async (page, { createLink, world }) => {
      world.agent = { id: 'lead', email: 'lea@acme.example', groups: ['leads'] }
      world.run = () => Promise.reject(new Error('lost connection'))
      await page.goto(await createLink())
      await confirm(page)
    },
    'to resolve, when it can no longer go through': async (page, server) => {
      await page.goto(await createOver(server))
    },
    'it went through': async (page, server) => {
      await page.goto(await createOver(server))
      await page.getByRole('button', { name: 'It went through' }).click()
    },
    'it did not go through': async (page, server) => {
      await page.goto(await createOver(server))
      await page.getByRole('button', { name: 'It did not go through' }).click()
    },
    'could not be read': async (page, { createLink }) => {
      await page.goto(await createLink())
      const twice = (button: Element) => button.setAttribute('name', 't')
      await page.getByRole('button', { name: 'Extend trial' }).evaluate(twice)
      await confirm(page)
    },
    'sign-in expired': async (page, { createLink, world }) => {
      await page.goto(await createLink())
      world.agent = undefined
      await confirm(page)
    },
    'not available': async (page, { url }) => {
      await page.goto(`${url}/actions?unavailable`)
    },
  }

/** Opens a link as a second agent while the action of a first one runs. */
async function openWhileRunning(
  page: Page,
  { app, world }: ActionServer,
  confirmed: string,
  opened: string,
): Promise<void> {
  const [started, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  world.run = () => (started.resolve(), end.promise)
  const form = await openPage(app, confirmed)
  const running = confirmPage(app, form, { days: '7', plan: 'team' })
  await started.promise
  world.agent = { id: 'agent-8', email: 'kim@acme.example', groups: [] }
  await page.goto(opened)
  end.resolve()
  await running
}

/** Confirms some minutes ago, and returns a new link. The outcome is unknown, and a lead looks. */
async function createOver({ app, createLink, world }: ActionServer): Promise<string> {
  world.agent = { id: 'lead', email: 'lea@acme.example', groups: ['leads'] }
  world.run = () => Promise.reject(new Error('lost connection'))
  const agoMs = 200_000
  const settings = { now: () => Date.now() - agoMs }
  const opened = await openPage(app, await createLink(agoMs), {}, {}, settings)
  await confirmPage(app, opened, { days: '7', plan: 'team' }, undefined, {}, settings)
  return createLink()
}

export async function fill(page: Page, days = '21'): Promise<void> {
  await page.getByLabel('Days').fill(days)
  await page.getByLabel('Plan').selectOption('business')
  await page.getByLabel('Reason').fill('They evaluate it with two more teams.')
}

async function confirm(page: Page): Promise<void> {
  await fill(page)
  await page.getByRole('button', { name: 'Extend trial' }).click()
}
