import { describe, expect, it, onTestFinished } from 'vitest'
import { identify, noAuth, secretHeader, section, sidecard, text } from 'sidecard'
import { serve } from 'sidecard/node'
import { createTestService } from 'sidecard/testing'

const project = {
  apps: {
    billing: {
      url: 'http://localhost:8787/',
      headers: { 'X-Key': 'env:SECRET', 'x-tenant': 'acme' },
    },
  },
  customers: {
    'Northwind Traders': { ids: { account_id: 'acc_northwind' }, shows: ['Northwind'] },
  },
  states: {
    'Orders failed': { customer: 'Northwind Traders', sections: { Orders: 'failed' } },
    'By email': { ids: { requester_email: 'jane@northwind.example' } },
    Nobody: { ids: { account_id: 'acc_nobody' } },
    'No such section': { customer: 'Northwind Traders', sections: { Order: 'empty' } },
  },
}

interface Env {
  readonly SECRET?: string
}

/** An app that lists the headers and the IDs of its requests. */
function createApp() {
  const requests: { tenant: string | undefined; params: object }[] = []
  const app = sidecard<Env>({
    header: { title: 'Billing' },
    auth: secretHeader('x-key', (env) => env.SECRET),
    logger: false,
    async fetchData(ctx) {
      requests.push({ tenant: ctx.c.req.header('x-tenant'), params: { ...ctx.params } })
      const find = (id: string) => (/northwind/.test(id) ? { name: 'Northwind' } : undefined)
      const { value } = await identify(ctx, { account_id: find, requester_email: find })
      return [
        text({ label: 'Name', value: value.name }),
        section('Orders', () => text({ label: 'Order', value: '1' })),
      ]
    },
  })
  return { app, requests }
}

const env = { SECRET: 'from the environment' }

describe('openState()', () => {
  it('opens each state and each customer of the project', async () => {
    const { app, requests } = createApp()
    const service = createTestService(app, { env, project })
    const failed = await service.openState('Orders failed')
    expect(failed.outcome).toBe('failed')
    expect(failed.failures).toMatchObject([{ kind: 'section_failed', section: 'Orders' }])
    expect((await service.openState('Northwind Traders')).text).toContain('Order')
    expect((await service.openState('Nobody')).outcome).toBe('not_found')
    expect((await service.openState('By email')).outcome).toBe('rendered')
    expect(requests.map(({ tenant }) => tenant)).toEqual(['acme', 'acme', 'acme', 'acme'])
  })

  it('rejects a state with a failure that no condition causes', async () => {
    const reason = new Error('the orders are locked')
    const app = sidecard({
      header: { title: 'Billing' },
      auth: noAuth(),
      logger: false,
      fetchData: (ctx) => {
        if (ctx.params.account_id === 'acc_nobody') throw reason
        return [
          section('Orders', () => text({ label: 'Order', value: '1' })),
          section('Invoices', () => Promise.reject(reason)),
        ]
      },
    })
    const service = createTestService(app, { project })
    await expect(service.openState('Nobody')).rejects.toMatchObject({
      code: 'state_failed',
      message: expect.stringMatching(/^openState: the state "Nobody" fails: .*orders are locked/),
      cause: reason,
    })
    await expect(service.openState('Orders failed')).rejects.toMatchObject({
      code: 'state_failed',
      message: expect.stringContaining('a section failed (Invoices): the orders are locked'),
      cause: reason,
    })
  })

  it('rejects a state in which agents see an error state', async () => {
    const app = {
      fetch: ({ url }: Request) =>
        Response.json(/verify/.test(url) ? { code: 'code-1' } : { version: '1.0.0' }),
    }
    await expect(createTestService(app, { project }).openState('Nobody')).rejects.toMatchObject({
      code: 'state_failed',
      message: expect.stringContaining('"Nobody" fails: header: is missing'),
    })
  })

  it('sends no ID of another customer', async () => {
    const { app, requests } = createApp()
    await createTestService(app, { env, project }).openState('By email')
    expect(requests[0]?.params).toMatchObject({
      issue_id: 'issue_1',
      requester_email: 'jane@northwind.example',
      account_id: undefined,
      requester_id: undefined,
    })
  })

  it.each([
    ['Order failed', 'there is no state "Order failed". Did you mean "Orders failed"?'],
    ['Lumen', 'The states and customers are "Orders failed", "By email", "Nobody", '],
  ])('rejects the unknown name %s', async (name, message) => {
    const opening = createTestService(createApp().app, { env, project }).openState(name)
    await expect(opening).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(message),
    })
  })

  it('rejects a state whose section the app does not have', async () => {
    const opening = createTestService(createApp().app, { env, project }).openState(
      'No such section',
    )
    await expect(opening).rejects.toMatchObject({ code: 'section_not_applied' })
  })

  it('needs a project', async () => {
    const opening = createTestService(createApp().app, { env }).openState('Nobody')
    await expect(opening).rejects.toMatchObject({
      code: 'invalid_options',
      message: 'openState: pass the option project.',
    })
  })
})

describe('the headers of a project', () => {
  it('are replaced by those of the test, in any case', async () => {
    const { app, requests } = createApp()
    const headers = { 'x-key': env.SECRET, 'X-TENANT': 'other' }
    await createTestService(app, { env, headers, project }).openState('Nobody')
    expect(requests[0]?.tenant).toBe('other')
  })

  it('are not sent without the value of their variable', async () => {
    const opening = createTestService(createApp().app, { project }).openState('Nobody')
    await expect(opening).rejects.toMatchObject({ code: 'not_connected' })
  })

  it('come from the app whose variable has a value', async () => {
    const { app } = createApp()
    const apps = {
      other: { url: 'http://localhost:8788/', headers: { 'x-key': 'env:OTHER_SECRET' } },
      ...project.apps,
    }
    const service = createTestService(app, { env, project: { ...project, apps } })
    expect((await service.openState('Nobody')).outcome).toBe('not_found')
  })

  it('go only to the origin of their URL', async () => {
    const { app } = createApp()
    const server = await serve(app, { port: 0, hostname: '127.0.0.1', env: { ...env } })
    onTestFinished(() => server.close())
    const other = createTestService(server.url, { env, project })
    await expect(other.openState('Nobody')).rejects.toMatchObject({ code: 'not_connected' })
    const apps = { billing: { ...project.apps.billing, url: server.url } }
    const own = createTestService(server.url, { env, project: { ...project, apps } })
    expect((await own.openState('Nobody')).outcome).toBe('not_found')
  })
})

it('rejects an invalid project, with the property', () => {
  expect(() => createTestService(createApp().app, { project: { state: {} } })).toThrow(
    expect.objectContaining({
      code: 'invalid_project',
      message: expect.stringContaining('states'),
    }),
  )
})
