/**
 * A program that exports one value of each kind. An installed package compiles it
 * with `declaration: true` (see tarball.test.ts), which needs an exported name for
 * the type of each of them.
 */
import {
  audit,
  badge,
  button,
  calendarDate,
  card,
  dateTime,
  dayOf,
  divider,
  fields,
  healthCheck,
  identify,
  InvalidComponentError,
  isSidecardError,
  link,
  money,
  noAuth,
  payload,
  PayloadError,
  secretHeader,
  section,
  serverTiming,
  sidecard,
  SidecardError,
  status,
  text,
  validatePayload,
  type FetchDataContext,
} from 'sidecard'
import * as schema from 'sidecard/schema'
import {
  action,
  ActionError,
  actions,
  anyAgent,
  cloudflareAccess,
  d1Receipts,
  memoryReceipts,
  numberField,
  postgresReceipts,
  selectField,
  textField,
  trustedHeader,
} from 'sidecard/actions'
import { kvStore, memoryStore, redisStore, sectionCache, storageStore } from 'sidecard/cache'
import { ApiError, ClientError, createClient } from 'sidecard/client'
import { check } from 'sidecard/check'
import { createEmulator } from 'sidecard/emulator'
import { serve, toNodeHandler } from 'sidecard/node'
import { createTestService, isRecording, replay } from 'sidecard/testing'
import { z } from 'zod'

interface Env {
  SECRET?: string
  DB: Parameters<typeof d1Receipts>[0]
  KV: Parameters<typeof kvStore>[0]
}
declare const name: string
declare const external: any

export const components = [
  text({ label: 'a', value: 'b' }),
  dateTime({ label: 'a', value: new Date() }),
  badge({ label: 'a', items: [status(name, { active: 'green' })] }),
  link({ label: 'a', url: 'https://example.com' }),
  divider(),
]
export const openButton = button({ label: 'a', url: 'https://example.com' })
export const widgetCard = card({ header: { title: 'a' }, components })
export const rows = fields({
  Plan: 'Pro',
  MRR: money(100, 'EUR'),
  Renews: calendarDate('2026-01-01'),
  Paid: dayOf(new Date(), 'UTC'),
})
export const whole = payload({ header: { title: 'a' }, components: [widgetCard] })
export const slow = section('Slow', async () => components)
export const auths = [noAuth(), secretHeader('x-key', 'secret')]
export const instruments = [serverTiming(), audit(() => undefined)]
export const health = healthCheck({ sources: {} })
export const result = validatePayload(whole)
export const issues = result.ok ? [] : result.issues
export const identified = (ctx: FetchDataContext) =>
  identify(ctx, { account_id: (id) => ({ id, plan: 'Pro' }) })
export const isOurs = isSidecardError
export const errors = [
  InvalidComponentError,
  PayloadError,
  SidecardError,
  ActionError,
  ApiError,
  ClientError,
]
export { schema }
export const parsed = schema.payloadSchema.parse({})
export const component = schema.componentSchema.parse({})
export const textComponent = schema.textSchema.parse({})

export const caches = {
  memory: sectionCache({ name: 'orders', store: memoryStore(), ttlSeconds: 60 }),
  perEnv: sectionCache({ name: 'plans', store: (env: Env) => kvStore(env.KV), ttlSeconds: 60 }),
  section: sectionCache({ name: 'errors', store: redisStore(external), ttlSeconds: 60 }),
  storage: storageStore(external),
}
export const form = {
  days: numberField({ label: 'Days' }),
  reason: textField({ label: 'Reason', optional: true }),
  plan: selectField({ label: 'Plan', options: { pro: 'Pro' } }),
}
export const extendTrial = action<Env>()({
  name: 'extend-trial',
  label: 'Extend trial',
  input: z.object({ accountId: z.string() }),
  form,
  show: (_ctx, { accountId }) => text({ label: 'Account', value: accountId }),
  run: (_ctx, _input, { days }) => text({ label: 'Days', value: String(days) }),
})
export const extendButton = extendTrial.button({ accountId: 'a' })
export const agents = [
  anyAgent(),
  trustedHeader('x-email'),
  cloudflareAccess({ team: 'a', audience: 'b' }),
]
export const claims = [memoryReceipts(), postgresReceipts(external), d1Receipts(external)]
export const appActions = actions<Env>({
  list: [extendTrial],
  publicUrl: 'https://example.com',
  secret: 's',
  signIn: anyAgent(),
  receipts: memoryReceipts(),
})
export const app = sidecard<Env>({
  header: { title: 'Billing' },
  auth: secretHeader('x-key', (env) => env.SECRET),
  fetchData: (ctx) => [
    card({ components: [text({ label: 'Account', value: ctx.require('account_id') })] }),
    slow,
  ],
})
export const withSchema = sidecard(z.object({ SECRET: z.string() }), {
  header: { title: 'Billing' },
  auth: noAuth(),
  fetchData: () => components,
})
export const server = await serve(app)
export const handler = toNodeHandler(app)

export const client = createClient({ baseUrl: 'https://api.example.com', accessToken: 'token' })
export const call = client.tasks.create({ title: 'a' })
export const task = await call
export const response = await client.users.list()
export const users = client.users.list()
export const names = (await users.toArray()).map((user) => user.name)
export const form1 = await client.ticketForms.list()

export const service = createTestService(app, { codes: () => crypto.randomUUID() })
export const opened = await service.openIssue()
export const { failures, findings } = opened
export const exchange = opened.result.exchange
export const handshake = await service.connect()
export const { state } = service
export const page = await service.openAction('Extend trial')
export const confirmed = await page.confirm({ days: '1' })
export const endpoint = replay(external)
export const recording = isRecording(external) ? external : undefined

export const report = await check('http://localhost/')
export const [ruleResult] = report.results
export const finding = ruleResult?.findings[0]
export const reportParts = [
  report.failures[0],
  report.exchanges?.[0],
  report.timings,
  report.verdict,
  report.summary,
]
export const level = ruleResult?.level
export const ruleGroup = ruleResult?.group
export const ruleStatus = ruleResult?.status

export const emulator = createEmulator()
export const emulatedApp = emulator.apps.list()[0]
export const emulatorReport = await emulator.apps.check('a')
export const issue = emulator.issues.get('iss_1042')
export const issueSummaries = emulator.issues.list()
const widgets = await emulator.issues.open('iss_1042')
export const widget = widgets.widgets[0]
export const widgetFailure = widget?.failures[0]
export const summaries = emulator.exchanges.list()
export const view = emulator.exchanges.get('a')
export const replayed = await emulator.exchanges.replay('a')
export const saved = await emulator.exchanges.save('a')
export const requests = emulator.requests.list()
export const faults = emulator.faults.list()
const customers = emulator.project.customers()
export const snapshot = emulator.snapshot()
export const listener = await emulator.listen()
export const rules = faults.map(({ effect, side }) => [effect, side])
export const ids = customers.map((customer) => customer.ids)
export const { load } = slow
export const signIn = anyAgent()
export const fromContext = (ctx: FetchDataContext) => ({
  params: ctx.params,
  log: ctx.log,
  id: ctx.require('account_id'),
})

// @ts-expect-error a card in a card
card({ components: [card({ components: [] })] })
// @ts-expect-error no such color
badge({ label: 'x', items: [{ value: 'y', color: 'grey' }] })
