import { createClient } from 'sidecard/client'
import { toNodeHandler } from 'sidecard/node'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createActionApp, createExtendTrial, SECRET } from '../../helpers/actions.ts'
import { listen } from '../../helpers/listen.ts'
import { start } from './control.ts'

test('the tasks of the API are listed, newest first, and an event says that one was created', async () => {
  const { emulator, url, control } = await start()
  const events: string[] = []
  emulator.events.subscribe(({ type }) => events.push(type))
  const client = createClient({ baseUrl: url, accessToken: emulator.accessToken })
  await client.tasks.create({ title: 'First' })
  const due_date = '2026-12-01T00:00:00Z'
  const fields = { due_date, account_id: 'acc_koi', assignee_id: 'usr_nobody' }
  await client.tasks.create({ title: '<b>Second</b>', ...fields, status: 'in_progress' })
  expect(events.filter((type) => type === 'tasks')).toHaveLength(2)
  const tasks = await (await control('tasks')).json()
  expect(tasks).toMatchObject([
    {
      title: '<b>Second</b>',
      status: 'in_progress',
      account: { id: 'acc_koi' },
      assignee: { user: { id: 'usr_nobody' } },
      due_date: expect.stringContaining('2026-12-01'),
    },
    { title: 'First', status: 'not_started' },
  ])
  for (const name of ['account', 'assignee', 'due_date']) expect(tasks[1]).not.toHaveProperty(name)
})

describe('the state of an action', () => {
  async function opened() {
    const paths: string[] = []
    let handle: ReturnType<typeof toNodeHandler> | undefined
    const url = await listen((request, response) => {
      paths.push(request.url ?? '')
      handle?.(request, response)
    })
    const extendTrial = createExtendTrial({ form: undefined })
    const app = createActionApp(extendTrial, { publicUrl: url, secret: SECRET })
    handle = toNodeHandler(app)
    const { emulator, control } = await start()
    await emulator.apps.create({ name: 'Billing', url })
    const { widgets } = await emulator.issues.open('iss_1042')
    const { url: link } = widgets[0]!.payload!.components[0] as { url: string }
    const read = async (body: unknown) => (await control('actions/state', { body })).json()
    return { link, url, read, paths, journal: app.journal }
  }

  test('is the outcome of its page, which reading does not change', async () => {
    const { link, read, journal } = await opened()
    expect(await read({ url: link })).toEqual({ outcome: 'shown' })
    expect(await read({ url: link })).toEqual({ outcome: 'shown' })
    expect(journal.runs).toEqual([])
  })

  test('is not read from a page on another machine', async () => {
    const { emulator, control } = await start()
    await emulator.apps.create({ name: 'Billing', target: createActionApp() })
    const { widgets } = await emulator.issues.open('iss_1042')
    const { url } = widgets[0]!.payload!.components[0] as { url: string }
    expect(url).toContain('https://billing.example.com/')
    const requests = vi.spyOn(globalThis, 'fetch')
    onTestFinished(() => requests.mockRestore())
    const response = await control('actions/state', { body: { url } })
    expect(await response.json()).toEqual({ outcome: null })
    expect(
      requests.mock.calls
        .map(([input]) => JSON.stringify(input))
        .filter((input) => input.includes('billing')),
    ).toEqual([])
  })

  test('is not read from a link that no app of this machine sent', async () => {
    const { link, url, read, paths } = await opened()
    const requests = paths.length
    const token = link.split('?')[1] ?? ''
    const foreign = [
      link.replace('?t=', '?t=eyJhbGciOiJkaXIifQ..a.b.c&t='),
      `${link.slice(0, -3)}abc`,
      `${url}other/actions?${token}`,
      link.replace('127.0.0.1', '10.0.0.1'),
      link.replace('127.0.0.1', 'attacker.example'),
      `${url}?request_type=fetch_data`,
      'not a URL',
    ]
    for (const each of foreign) expect(await read({ url: each })).toEqual({ outcome: null })
    expect(paths).toHaveLength(requests)
    expect(await read({})).toMatchObject({ status: 400 })
  })
})

describe('the requests to the page of an action', () => {
  test('are listed with their outcomes and agents, from the output of the dev server', async () => {
    let handle: ReturnType<typeof toNodeHandler> | undefined
    const url = await listen((request, response) => handle?.(request, response))
    const { emulator, control } = await start()
    const write = (fields: object) =>
      emulator.console.append({ stream: 'stdout', text: JSON.stringify(fields) })
    const logger = { debug: write, info: write, warn: write, error: write }
    const extendTrial = createExtendTrial({ form: undefined })
    const app = createActionApp(extendTrial, { publicUrl: url, secret: SECRET }, { logger })
    handle = toNodeHandler(app, { env: { SIDECARD_DEV: '1' } })
    await emulator.apps.create({ name: 'Billing', url })
    const { widgets } = await emulator.issues.open('iss_1042')
    const { url: link } = widgets[0]!.payload!.components[0] as { url: string }

    const page = await fetch(`${link}&agent=${encodeURIComponent('ann@acme.example, finance')}`)
    const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? ''
    const html = await page.text()
    expect(html).toContain('ann@acme.example')
    const hidden = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
    const body = new URLSearchParams(
      Array.from(hidden, ([, name = '', value = '']) => [name, value]),
    )
    const headers = { cookie, origin: new URL(url).origin }
    await fetch(link.split('?')[0]!, { method: 'POST', body, headers })
    await (await fetch(link)).text()

    const list = (await (await control('exchanges')).json()) as { kind: string; id: string }[]
    const actions = list.filter(({ kind }) => kind === 'action')
    expect(actions).toMatchObject([
      { outcome: 'already_done', action: { method: 'GET', agent: 'developer' } },
      { outcome: 'done', action: { method: 'POST', agent: 'ann@acme.example' } },
      { outcome: 'shown', action: { method: 'GET', agent: 'ann@acme.example' } },
    ])
    const detail = await (await control(`exchanges/${actions[1]!.id}`)).json()
    expect(detail).toMatchObject({ console: [{ traceId: expect.any(String) }] })
    expect((await control(`exchanges/${actions[1]!.id}/replay`, { method: 'POST' })).status).toBe(
      409,
    )
  })

  test('are no other lines', async () => {
    const { emulator } = await start()
    for (const text of [
      '{"requestType":"action"}',
      '{"requestType":"action","outcome":"<b>","method":"GET"}',
      '{"requestType":"action","outcome":"done","method":"PUT"}',
      '"action" {',
      '{"action":1,"requestType":"action","outcome":["done"],"method":"GET"}',
    ]) {
      emulator.console.append({ stream: 'stdout', text })
    }
    expect(emulator.exchanges.list()).toEqual([])
  })
})
