import { describe, expect, test } from 'vitest'
import { card, noAuth, section, sidecard, text } from 'sidecard'
import { createEmulator } from 'sidecard/emulator'
import { serializeErrorDetails } from '../../../src/runtime/internal/failure-detail.ts'
import { serializeConditionReport } from '../../../src/runtime/internal/section-conditions.ts'
import { connect, payload, widget } from './helpers.ts'

const PROJECT = {
  customers: {
    Northwind: { ids: { account_id: 'acc_n' }, shows: ['Northwind Traders'] },
    Lumen: { ids: { account_id: 'acc_l', requester_email: 'noor@lumen.example' } },
  },
  states: {
    'Orders failed': { customer: 'Northwind', sections: { Orders: 'failed' } },
    Nobody: { ids: { account_id: 'acc_nobody' } },
  },
}

/** An app whose payload repeats the account, with a section. */
const app = sidecard({
  header: { title: 'Billing' },
  auth: noAuth(),
  logger: false,
  fetchData: (ctx) => [
    card({
      header: { title: 'Account' },
      components: [text({ label: 'ID', value: ctx.params.account_id ?? 'none' })],
    }),
    section('Orders', async () => [text({ label: 'Last order', value: '4711' })]),
  ],
})

async function opened(options: Parameters<typeof createEmulator>[0] = { project: PROJECT }) {
  const emulator = createEmulator(options)
  const target = { fetch: (request: Request) => app.fetch(request, { SIDECARD_DEV: '1' }) }
  await emulator.apps.create({ name: 'Billing', target })
  const open = async (how: Parameters<typeof emulator.issues.open>[1] = {}) => {
    const [issue] = emulator.issues.list()
    const { widgets } = await emulator.issues.open(issue?.id ?? '', how)
    const [first] = widgets
    if (first === undefined) throw new Error('no widget')
    return { ...first, sent: Object.fromEntries(first.parameters) }
  }
  return { emulator, open }
}

test('lists the customers and states of the project', () => {
  const { project } = createEmulator({ project: PROJECT })
  expect(project.customers()).toEqual([
    {
      name: 'Northwind',
      ids: { account_id: 'acc_n' },
      shows: ['Northwind Traders'],
      place: 'sidecard.json',
    },
    expect.objectContaining({ name: 'Lumen', shows: [] }),
  ])
  expect(project.states()).toMatchObject([
    { name: 'Orders failed', customer: 'Northwind', ids: { account_id: 'acc_n' } },
    { name: 'Nobody', customer: null, ids: { account_id: 'acc_nobody' }, sections: {} },
  ])
  project.set({})
  expect([project.customers(), project.states()]).toEqual([[], []])
  expect(() => project.set({ customers: { A: { id: 1 } } })).toThrow('sidecard.json')
})

describe('the issues of a project', () => {
  test('belong to its customers, and send exactly their IDs', async () => {
    const { emulator, open } = await opened()
    const accounts = emulator.issues.list().map(({ account }) => account?.name)
    expect(accounts).toEqual(['Northwind', 'Lumen'])
    const { sent, customer } = await open()
    expect(customer).toBe('Northwind')
    expect(sent).toMatchObject({ account_id: 'acc_n', issue_id: 'iss_1' })
    expect(sent).not.toHaveProperty('requester_id')
    emulator.reset({ keepApps: true })
    expect(emulator.issues.list()).toHaveLength(2)
  })

  test('are those of a data set that was passed', async () => {
    const { emulator } = await opened({
      project: PROJECT,
      dataset: { customers: [{ name: 'Ada' }] },
    })
    expect(emulator.issues.list()).toMatchObject([{ requester: { name: 'Ada' } }])
  })
})

describe('an issue opened as somebody else', () => {
  test('sends the IDs of the customer, and none of those of the issue', async () => {
    const { open } = await opened()
    const { sent, customer, exchange } = await open({ customer: 'Lumen' })
    expect(sent).toMatchObject(PROJECT.customers.Lumen.ids)
    expect(customer).toBe('Lumen')
    expect(exchange).toMatchObject({ customer: 'Lumen', state: null, isCustom: false })
    const nobody = await open({ state: 'Nobody' })
    expect(nobody.sent).toMatchObject({ account_id: 'acc_nobody' })
    expect(nobody).toMatchObject({ state: 'Nobody', customer: null })
  })

  test('shows the sections of a state as it says', async () => {
    const { open } = await opened()
    const failed = await open({ state: 'Orders failed' })
    expect(failed).toMatchObject({
      outcome: 'failed',
      unapplied: null,
      failures: [{ section: 'Orders' }],
      exchange: { sections: { Orders: 'failed' }, state: 'Orders failed', customer: 'Northwind' },
    })
    expect((await open()).outcome).toBe('rendered')
    const custom = await open({ sections: { Orders: 'timeout' } })
    expect(custom).toMatchObject({ outcome: 'failed', exchange: { isCustom: true, state: null } })
    const normal = await open({ state: 'Orders failed', sections: {} })
    expect(normal).toMatchObject({ outcome: 'rendered', exchange: { sections: null } })
  })

  test('says which condition was not applied', async () => {
    const { open } = await opened()
    expect((await open({ sections: { Order: 'failed' } })).unapplied).toContain(
      'Did you mean "Orders"?',
    )
    const foreign = await connect()
    const view = await foreign.open({ sections: { Orders: 'failed' } })
    expect(view).toMatchObject({
      outcome: 'rendered',
      unapplied: expect.stringContaining('reports no sections'),
    })
  })

  test.each([
    ['applied no condition', { applied: [], sections: ['Orders'] }, 'section_failed'],
    ['does not report what it applied', undefined, 'section_failed'],
    ['failed in another way', { applied: ['Orders'], sections: ['Orders'] }, 'section_timeout'],
  ] as const)('is not as intended if the app %s', async (_, report, kind) => {
    const error = { name: 'Error', message: 'the backend is down' }
    const headers = {
      'x-sidecard-failure': kind,
      'x-sidecard-error': serializeErrorDetails([{ kind, section: 'Orders', error }]),
      ...(report && { 'x-sidecard-sections-applied': serializeConditionReport(report) }),
    }
    const { open } = await connect({ data: () => Response.json(widget('Pro'), { headers }) })
    const view = await open({ sections: { Orders: 'failed' } })
    expect(view).toMatchObject({ outcome: 'failed', findings: [{ rule: 'data-failure' }] })
    expect(view.failures).toMatchObject([{ section: 'Orders' }])
    expect(view.failures[0]).not.toHaveProperty('intended')
  })

  test('is replayed with the same IDs and conditions', async () => {
    const { emulator, open } = await opened()
    const { exchangeId } = await open({ state: 'Orders failed', params: { requester_id: 'u' } })
    const replayed = await emulator.exchanges.replay(exchangeId ?? '')
    expect(replayed).toMatchObject({
      outcome: 'failed',
      state: 'Orders failed',
      sections: { Orders: 'failed' },
      isCustom: true,
    })
    expect(Object.fromEntries(replayed.parameters)).toMatchObject({
      account_id: 'acc_n',
      requester_id: 'u',
    })
  })

  test.each([
    [
      { customer: 'Lumne' },
      'not_found',
      'The project has no customer with this name. Did you mean "Lumen"?',
    ],
    [{ state: 'x' }, 'not_found', 'The project has no state with this name.'],
    [
      { customer: 'Lumen', state: 'Nobody' },
      'invalid_options',
      'Pass a customer or a state, not both.',
    ],
  ])('that does not exist sends no request: %j', async (how, code, message) => {
    const { emulator, open } = await opened()
    await expect(open(how)).rejects.toMatchObject({ code, message })
    expect(emulator.exchanges.list().filter(({ kind }) => kind === 'fetch_data')).toEqual([])
  })
})

test('all states are every customer and state, in one group', async () => {
  const { emulator } = await opened()
  const { states, group } = await emulator.issues.openStates('iss_1')
  expect(states.map(({ kind, name, widgets }) => [kind, name, widgets[0]?.outcome])).toEqual([
    ['customer', 'Northwind', 'rendered'],
    ['customer', 'Lumen', 'rendered'],
    ['state', 'Orders failed', 'failed'],
    ['state', 'Nobody', 'rendered'],
  ])
  const groups = emulator.exchanges.list().flatMap((line) => line.group?.id ?? [])
  expect(new Set(groups)).toEqual(new Set([group.id]))
})

describe('saving a state', () => {
  function saving() {
    const saved: object[] = []
    const saveToProject = async (entries: object) => {
      saved.push(entries)
      return { ...PROJECT, states: {} }
    }
    return { saved, saveToProject }
  }

  test('adds a state of a known customer, and a new customer otherwise', async () => {
    const { saved, saveToProject } = saving()
    const { emulator, open } = await opened({ project: PROJECT, saveToProject })
    const save = async (how: Parameters<typeof open>[0], shows: string[] = []) => {
      const { exchangeId } = await open(how)
      await emulator.exchanges.saveState(exchangeId ?? '', { name: 'New', shows })
      emulator.project.set(PROJECT)
      return saved.at(-1)
    }
    expect(await save({ customer: 'Lumen', sections: { Orders: 'empty' } })).toEqual({
      states: { New: { customer: 'Lumen', sections: { Orders: 'empty' } } },
    })
    expect(await save({ params: { account_id: 'acc_new' } })).toEqual({
      states: { New: { ids: { account_id: 'acc_new' } } },
    })
    expect(await save({ state: 'Nobody', sections: { Orders: 'empty' } }, ['Nobody Inc.'])).toEqual(
      {
        customers: { New: { ids: { account_id: 'acc_nobody' }, shows: ['Nobody Inc.'] } },
        states: { New: { customer: 'New', sections: { Orders: 'empty' } } },
      },
    )
  })

  test('shows what was saved without a restart', async () => {
    const { saveToProject } = saving()
    const { emulator, open } = await opened({ project: PROJECT, saveToProject })
    const { exchangeId } = await open()
    await emulator.exchanges.saveState(exchangeId ?? '', { name: 'New' })
    expect(emulator.project.states()).toEqual([])
  })

  test('needs a file to write, and the IDs of a customer', async () => {
    const { emulator, open } = await opened()
    const { exchangeId } = await open()
    const save = (id: string | null | undefined) =>
      emulator.exchanges.saveState(id ?? '', { name: 'x' })
    await expect(save(exchangeId)).rejects.toMatchObject({ code: 'no_project' })
    const handshake = emulator.exchanges.list().find(({ kind }) => kind === 'verify')
    await expect(save(handshake?.id)).rejects.toMatchObject({ code: 'not_saveable' })
  })
})

test('the texts to show are those that no other customer’s payload contains', async () => {
  const rows = (...values: string[]) =>
    payload(values.map((value) => ({ type: 'text', label: 'Plan', value })))
  const { emulator, open } = await connect({
    data: (url) =>
      Response.json(
        url.searchParams.get('account_id') === 'a'
          ? rows('Pro', 'Ada “Engines”', 'ab', '2026-11-20T10:00:00Z', 'Shared')
          : rows('PRO', 'Bob', 'Shared text'),
      ),
  })
  const first = await open({ params: { account_id: 'a' } })
  expect(emulator.exchanges.ownTexts(first.exchangeId ?? '')).toEqual([])
  await open({ params: { account_id: 'b' } })
  expect(emulator.exchanges.ownTexts(first.exchangeId ?? '')).toEqual(['Ada “Engines”'])
})

test('a check uses all customers of the project, with their texts', async () => {
  const {
    emulator,
    app: created,
    target,
  } = await connect(
    { data: (url) => Response.json(widget(url.searchParams.get('account_id') ?? '')) },
    { project: PROJECT },
  )
  await emulator.apps.check(created.id)
  const accounts = target.requests.map(({ url }) => new URL(url).searchParams.get('account_id'))
  expect(accounts).toEqual(expect.arrayContaining(['acc_n', 'acc_l']))
})

describe('all states as one HTML page', () => {
  const render = async (anonymize?: boolean) => {
    const { emulator } = await opened()
    const [issue] = emulator.issues.list()
    const options = anonymize === undefined ? {} : { anonymize }
    const { html } = await emulator.issues.exportStates(issue?.id ?? '', options)
    await emulator.close()
    return html
  }

  test('contain no ID, text or name of a customer by default', async () => {
    const html = await render()
    expect(html.match(/<h2[^>]*>[^<]*/g)?.map((each) => each.replace(/<.*>/, ''))).toEqual([
      'Customer 1',
      'Customer 2',
      'Orders failed',
      'Nobody',
    ])
    expect(html).toContain('<p>as intended</p>')
    expect(html).not.toMatch(/acc_|northwind|lumen|4711|<script|http:|https:/i)
    expect(html).toContain("default-src 'none'")
  })

  test('contain what agents see if they are exported with all data', async () => {
    const html = await render(false)
    expect(html).toContain('>Northwind</h2>')
    expect(html).toContain('acc_l')
    expect(html).not.toContain('<script')
  })

  test('have a policy that allows their styles', async () => {
    const html = await render()
    const styles = Array.from(html.matchAll(/<style>([^]*?)<\/style>/g), ([, css = '']) => css)
    expect(styles).toHaveLength(2)
    for (const css of styles) {
      // oxlint-disable-next-line no-await-in-loop -- two styles
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(css))
      expect(html).toContain(`'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`)
    }
  })
})
