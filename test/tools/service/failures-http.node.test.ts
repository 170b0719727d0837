import { expect, it } from 'vitest'
import { noAuth, section, sidecard, text } from 'sidecard'
import { serve } from 'sidecard/node'
import { createTestService } from 'sidecard/testing'

const app = sidecard({
  header: { title: 'Billing' },
  auth: noAuth(),
  logger: false,
  fetchData: () => [
    text({ label: 'Plan', value: 'Gold' }),
    section('Recent errors', () => Promise.reject(new RangeError('tracker down'))),
  ],
})

it('copies the errors of an endpoint in development, and only if they are requested', async () => {
  const env = { SIDECARD_DEV: '1' }
  await using server = await serve(app, { port: 0, handleSignals: false, env })
  const developer = await createTestService(server.url, { dev: true }).openIssue()
  expect(developer.failures).toMatchObject([
    {
      kind: 'section_failed',
      section: 'Recent errors',
      component: 1,
      error: {
        name: 'RangeError',
        message: 'tracker down',
        stack: expect.stringContaining('failures-http'),
      },
    },
  ])
  const other = await createTestService(server.url).openIssue()
  expect(other.failures).toMatchObject([{ kind: 'section_failed', component: 1 }])
  expect(other.failures[0]?.error).toBeUndefined()
})

it('copies no errors of an endpoint in production', async () => {
  await using server = await serve(app, { port: 0, handleSignals: false, env: {} })
  const { failures } = await createTestService(server.url, { dev: true }).openIssue()
  expect(failures).toMatchObject([
    { kind: 'section_failed', traceId: expect.stringMatching(/^\w{12}$/) },
  ])
  expect(failures[0]?.error).toBeUndefined()
})
