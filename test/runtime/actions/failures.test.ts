import { audit, type AuditRecord, identify } from 'sidecard'
import { ActionError } from 'sidecard/actions'
import { expect, test } from 'vitest'
import {
  AGENT,
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
  send,
} from '../../helpers/actions.ts'
import { createRecordingLogger } from '../../helpers/app.ts'

function createObserved(overrides: Record<string, unknown> = {}, options = {}, appOptions = {}) {
  const logger = createRecordingLogger()
  const records: AuditRecord[] = []
  const instrument = audit((record) => void records.push(record))
  const app = createActionApp(createExtendTrial(overrides), options, {
    logger,
    instrument,
    ...appOptions,
  })
  const last = () => ({ log: logger.lines.at(-1)!, audit: records.at(-1)! })
  return { app, logger, records, last }
}

async function open(app: ReturnType<typeof createActionApp>) {
  const [link] = await readLinks(app)
  return { link: link!, page: await openPage(app, link!) }
}

test('a success has a log line and an audit record with the agent and the issue', async () => {
  const { app, last } = createObserved()
  const { page } = await open(app)
  const done = await confirmPage(app, page, { days: '7', reason: 's3cret' })
  const { log, audit: record } = last()
  expect(log).toMatchObject({
    level: 'info',
    fields: { requestType: 'action', action: 'extend-trial', outcome: 'done', status: 200 },
  })
  expect(record).toMatchObject({
    action: 'extend-trial',
    outcome: 'done',
    status: 200,
    agent: AGENT,
    params: { issue_id: 'issue-1', organization_id: 'org-1' },
    traceId: log.fields['traceId'],
  })
  expect(JSON.stringify(record)).not.toMatch(/s3cret|accountId/)
  expect(done.html).toContain(log.fields['traceId'])
})

test('an ActionError is shown, and the agent can try again with what was typed', async () => {
  let attempts = 0
  const { app, last } = createObserved({
    run: () => {
      attempts += 1
      if (attempts === 1) throw new ActionError('The trial was already extended twice.')
      return []
    },
  })
  const { page } = await open(app)
  const notDone = await confirmPage(app, page, { days: '21', reason: 'Long evaluation' })
  expect(notDone).toMatchObject({ status: 409, outcome: 'refused', heading: 'Not done' })
  expect(notDone.html).toContain('The trial was already extended twice.')
  expect(notDone.html).toMatch(/value="21"[^]*Long evaluation/)
  expect(last().audit).toMatchObject({ outcome: 'refused' })
  expect(await confirmPage(app, notDone)).toMatchObject({ outcome: 'done' })
})

test.each([
  ['throws an error', () => Promise.reject(new Error('lost connection')), 500],
  ['throws undefined', () => Promise.reject(undefined), 500],
  ['hangs', () => new Promise(() => undefined), 504],
])(
  'run that %s has an unknown outcome, and is never attempted again',
  async (_name, run, status) => {
    let attempts = 0
    const { app, last } = createObserved({ timeoutMs: 60, run: () => ((attempts += 1), run()) })
    const { link, page } = await open(app)
    const unknown = { outcome: 'unknown', heading: 'Outcome unknown' }
    const first = await confirmPage(app, page)
    expect(first).toMatchObject({ ...unknown, status })
    expect(first.html).toContain(last().log.fields['traceId'])
    expect(last()).toMatchObject({ log: { level: 'error' }, audit: { outcome: 'unknown' } })
    expect(await confirmPage(app, page)).toMatchObject(unknown)
    expect(await openPage(app, link)).toMatchObject(unknown)
    expect(attempts).toBe(1)
  },
)

test('run goes on and is done if the browser goes away', async () => {
  const controller = new AbortController()
  let signal: AbortSignal | undefined
  const { app } = createObserved({
    run: async (ctx: any) => {
      signal = ctx.signal
      controller.abort()
      await Promise.resolve()
      app.journal.runs.push({ input: 1, values: 1, agent: undefined })
    },
  })
  const { link, page } = await open(app)
  const body = new URLSearchParams({ t: page.t!, form: page.form!, 'field-days': '7' })
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
  }
  const init = { method: 'POST', headers, body: String(body), signal: controller.signal }
  await send(app, '/actions', init).catch(() => undefined)
  await expect.poll(() => openPage(app, link)).toMatchObject({ outcome: 'already_done' })
  expect(signal!.aborted).toBe(false)
  expect(app.journal.runs).toHaveLength(1)
})

test('once makes an action once per intent, through whichever link', async () => {
  const once = (_input: unknown, ids: any) => `issue ${ids.issue_id}`
  const { app } = createObserved({ uniqueKey: once })
  const [one] = await readLinks(app)
  const [two] = await readLinks(app)
  const pages = [await openPage(app, one!), await openPage(app, two!)]
  const results = await Promise.all(
    pages.flatMap((page) => [page, page]).map((page) => confirmPage(app, page)),
  )
  expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(1)
  const [three] = await readLinks(app)
  expect(await openPage(app, three!)).toMatchObject({ outcome: 'already_done' })
  const [other] = await readLinks(
    app,
    '/?request_type=fetch_data&issue_id=issue-2&account_id=account-1',
  )
  expect(await openPage(app, other!)).toMatchObject({ outcome: 'shown' })
  expect(app.journal.runs).toHaveLength(1)
})

test.each([
  ['throws', () => Promise.reject(new Error('database')), 500, 'failed'],
  ['hangs', () => new Promise(() => undefined), 500, 'failed'],
  ['is not a function of components', () => 'text', 500, 'failed'],
  ['throws an ActionError', () => Promise.reject(new ActionError('Closed.')), 409, 'refused'],
  ['lacks an ID', (ctx: any) => ctx.require('requester_id') && [], 404, 'not_found'],
  [
    'finds no customer',
    (ctx: any) => identify(ctx, { account_id: () => undefined }),
    404,
    'not_found',
  ],
])(
  'show that %s has its page without a form, and its records',
  async (_name, show, status, outcome) => {
    const { app, last } = createObserved({ show }, {}, { timeoutMs: 200 })
    const [link] = await readLinks(app, '/?request_type=fetch_data&account_id=a')
    const page = await openPage(app, link!)
    expect(page).toMatchObject({ status, outcome, t: undefined })
    expect(last()).toMatchObject({
      log: { fields: { outcome, status } },
      audit: { outcome, status },
    })
    expect(page.html).not.toContain('database')
    expect(page.html.includes('<section class="sidecard-widget"')).toBe(outcome === 'not_found')
    expect(page.html.includes('Closed.')).toBe(outcome === 'refused')
  },
)

test.each([
  ['days', { days: '' }, 'Enter a value.'],
  ['days', { days: 'seven' }, 'Enter a number.'],
  ['days', { days: '0' }, 'Enter a value from 1 to 30.'],
  ['days', { days: '1e1' }, 'Enter a number.'],
  ['days', { days: '2.5' }, 'Enter a whole number.'],
  ['reason', { days: '7', reason: 'x'.repeat(501) }, 'Enter at most 500 characters.'],
] as [string, Record<string, string>, string][])(
  'an invalid field %s (%o) is marked, and nothing runs',
  async (name, values, message) => {
    const { app, last } = createObserved()
    const { page } = await open(app)
    const invalid = await confirmPage(app, page, { reason: 'kept <b>', ...values })
    expect(invalid).toMatchObject({ status: 422, outcome: 'invalid' })
    expect(invalid.html).toMatch(new RegExp(`id="field-${name}-problem">${message}`))
    expect(invalid.html).toContain(`aria-describedby="field-${name}-problem"`)
    expect(invalid.html).toContain(values['reason'] ?? 'kept &lt;b&gt;')
    expect(last()).toMatchObject({ log: { level: 'warn' }, audit: { outcome: 'invalid' } })
    expect(app.journal.runs).toEqual([])
    expect(await confirmPage(app, invalid)).toMatchObject({ outcome: 'done' })
  },
)

test('an instrument that fails changes nothing', async () => {
  const instrument = {
    span: (_n: any, _a: any, run: any) => run(),
    onAction: () => Promise.reject(new Error('x')),
  }
  const logger = createRecordingLogger()
  const app = createActionApp(createExtendTrial(), {}, { instrument, logger })
  const { page } = await open(app)
  expect(await confirmPage(app, page)).toMatchObject({ outcome: 'done' })
  expect(logger.lines.some(({ fields }) => fields['msg'] === 'sidecard waitUntil')).toBe(true)
})
