import { expect, onTestFinished, test, vi } from 'vitest'
import { memoryStore } from 'sidecard/cache'
import { createTestService } from 'sidecard/testing'
import type { Env } from '../../examples/billing/src/sources/env.ts'
import { listen } from '../helpers/listen.ts'

/** Starts a collector that stores the bodies of OTLP requests by path. */
async function startCollector() {
  const bodies: Record<string, string[]> = { '/v1/traces': [], '/v1/metrics': [] }
  const url = await listen((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      bodies[request.url ?? '']?.push(body)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  return { url, bodies }
}

test('the example sends its spans and metrics to a collector over HTTP', async () => {
  const collector = await startCollector()
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { shutDownTelemetry } = await import('../../examples/billing/src/opentelemetry.ts')
  const { app } = await import('../../examples/billing/src/app.ts')
  const errorService = await listen((_, response) => response.end('[]'))
  const account = { id: 'acc_7', name: 'Jane Doe Ltd', plan: 'Pro', seats: 1, mrr_minor: 1 }
  const query = async (sql: string) =>
    sql.includes('invoices')
      ? []
      : [
          {
            ...account,
            status: 'active',
            currency: 'EUR',
            renews_on: null,
            admin_url: 'https://admin.example.com',
          },
        ]
  const env = {
    SIDECARD_SECRET: 's',
    DB: { query } as unknown as Env['DB'],
    ERRORS_URL: errorService,
    CACHE: memoryStore(),
  }
  const service = createTestService(app, { env, headers: { 'x-sidecard-secret': 's' } })
  const { failures } = await service.openIssue({ requester_email: 'jane@doe.example' })
  expect(failures).toEqual([])
  await shutDownTelemetry()

  const traces = collector.bodies['/v1/traces']?.join('\n') ?? ''
  const metrics = collector.bodies['/v1/metrics']?.join('\n') ?? ''
  for (const name of [
    'GET billing',
    'fetchData',
    'identify',
    'section',
    'store.get',
    'store.set',
  ]) {
    expect(traces).toContain(`"name":"${name}"`)
  }
  for (const name of ['response.duration', 'section.duration', 'section.cache']) {
    expect(metrics).toContain(`"name":"sidecard.${name}"`)
  }
  for (const body of [traces, metrics]) {
    expect(body).toContain('{"key":"service.name","value":{"stringValue":"billing"}}')
    expect(body).not.toMatch(/jane|account_1|issue_1/i)
  }
})
