import { noAuth, sidecard } from 'sidecard'
import { createEmulator, type EmulatorOptions } from 'sidecard/emulator'
import { expect, test } from 'vitest'
import { createActionApp, createExtendTrial } from '../../helpers/actions.ts'

const DEV = { SIDECARD_DEV: '1' }
const STATES = ['form', 'running', 'done', 'unknown', 'expired', 'forbidden'] as const

const projectWith = (actions: Readonly<Record<string, string>>) => ({
  states: { Trial: { ids: { account_id: 'acc_1' }, actions } },
})

/** Runs all states of a project whose app has the action “Extend trial”. */
async function run(
  actions: Readonly<Record<string, string>>,
  {
    env = DEV,
    publicUrl = 'http://sidecard.test',
    ...options
  }: EmulatorOptions & {
    readonly env?: object
    readonly publicUrl?: string
  } = {},
) {
  const requests: string[] = []
  const app = createActionApp(createExtendTrial(), { publicUrl })
  const target = {
    fetch(request: Request) {
      requests.push(new URL(request.url).pathname)
      return app.fetch(request, env)
    },
  }
  const emulator = createEmulator({ project: projectWith(actions), ...options })
  await emulator.apps.create({ name: 'Billing', target })
  const [issue] = emulator.issues.list()
  const { states } = await emulator.issues.openStates(issue!.id)
  const page = async (path: string | null | undefined) => emulator.fetch(emulator.url + path)
  return {
    emulator,
    issue: issue!,
    requests,
    journal: app.journal,
    pages: states[0]!.actions,
    page,
  }
}

test.each(STATES)(
  'all states has the page of an action as %s, and nothing is done',
  async (state) => {
    const { pages, page, journal } = await run({ 'Extend trial': state })
    expect(pages).toMatchObject([{ label: 'Extend trial', state, unapplied: null }])
    const response = await page(pages[0]?.path)
    expect(await response.text()).toContain('<h1')
    expect(journal.runs).toEqual([])
  },
)

test('the page comes without scripts and forms, and only for the workspace', async () => {
  const { pages, page } = await run({ 'Extend trial': 'form' })
  const { headers, status } = await page(pages[0]?.path)
  expect(status).toBe(200)
  expect(headers.get('content-security-policy')).toBe(
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  )
  expect((await page('/-/action-pages/unknown')).status).toBe(404)
})

test('a state that the app does not apply is said to be not applied', async () => {
  const { pages, page, journal } = await run({ 'Extend trial': 'done' }, { env: {} })
  expect(pages).toMatchObject([
    { unapplied: expect.stringMatching(/HTTP 200.*without this state.*SIDECARD_DEV=1/) },
  ])
  expect(await (await page(pages[0]?.path)).text()).toContain('Extend trial')
  expect(journal.runs).toEqual([])
})

test('an unknown label names those of the sidebar', async () => {
  const { pages, requests } = await run({ Refund: 'done' })
  expect(pages).toEqual([
    {
      label: 'Refund',
      state: 'done',
      path: null,
      unapplied: 'the sidebar has no action with this label. Its actions are "Extend trial"',
    },
  ])
  expect(requests).not.toContain('/actions')
})

test('a sidebar without actions says so', async () => {
  const emulator = createEmulator({ project: projectWith({ 'Extend trial': 'done' }) })
  const app = sidecard({
    header: { title: 'A' },
    auth: noAuth(),
    logger: false,
    fetchData: () => [],
  })
  await emulator.apps.create({ name: 'Billing', target: app })
  const { states } = await emulator.issues.openStates(emulator.issues.list()[0]!.id)
  expect(states[0]?.actions).toMatchObject([{ unapplied: 'the sidebar has no action' }])
})

test('a page on another machine is not requested', async () => {
  const app = createActionApp(createExtendTrial(), { publicUrl: 'https://billing.example.com' })
  const requests: string[] = []
  const emulator = createEmulator({
    project: projectWith({ 'Extend trial': 'done' }),
    fetch(request) {
      requests.push(new URL(request.url).pathname)
      return app.fetch(request, DEV)
    },
  })
  await emulator.apps.create({ name: 'Billing', url: 'https://billing.example.com/' })
  const { states } = await emulator.issues.openStates(emulator.issues.list()[0]!.id)
  expect(states[0]?.actions).toMatchObject([
    { path: null, unapplied: 'the page of this action is not on this machine' },
  ])
  expect(new Set(requests)).toEqual(new Set(['/']))
})

test('an exported file shows the page with its styles, and leaves it out if it replaces texts', async () => {
  const { emulator, issue } = await run({ 'Extend trial': 'done' })
  const { html } = await emulator.issues.exportStates(issue.id, { anonymize: false })
  expect(html).toContain('<h2 dir="auto">Trial: Extend trial</h2><p>done</p><iframe sandbox')
  const [, page = ''] = /srcdoc="([^"]*)"/.exec(html) ?? []
  const styles = page.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#39;', "'")
  const css = Array.from(styles.matchAll(/<style>([^<]*)<\/style>/g), ([, text = '']) => text)
  expect(css).toHaveLength(2)
  for (const text of css) {
    const decoded = text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
    // oxlint-disable-next-line no-await-in-loop -- two styles
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(decoded))
    expect(html).toContain(`'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`)
  }
  const anonymized = await emulator.issues.exportStates(issue.id)
  expect(anonymized.html).not.toMatch(/iframe sandbox|Trial:/)
})

test('the oldest of more than 100 pages is dropped', async () => {
  const { emulator, issue, pages, page } = await run({ 'Extend trial': 'done' })
  for (let count = 0; count < 100; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one run after another
    await emulator.issues.openStates(issue.id)
  }
  expect((await page(pages[0]?.path)).status).toBe(404)
})
