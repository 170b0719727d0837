import { context, metrics, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  TracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace'
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { memoryStore } from 'sidecard/cache'
import { createTestService } from 'sidecard/testing'
import type * as Billing from '../../examples/billing/src/app.ts'
import type { Env } from '../../examples/billing/src/sources/env.ts'
import { listen } from '../helpers/listen.ts'

const spanExporter = new InMemorySpanExporter()
const metricExporter = new InMemoryMetricExporter(AggregationTemporality.DELTA)
const reader = new PeriodicExportingMetricReader({ exporter: metricExporter })

let app: typeof Billing.app

beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spanExporter })] }),
  )
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
  // As with node --import: the SDK is there before the app.
  ;({ app } = await import('../../examples/billing/src/app.ts'))
})
afterAll(() => {
  context.disable()
  trace.disable()
  metrics.disable()
})
beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(async () => {
  await reader.forceFlush()
  spanExporter.reset()
  metricExporter.reset()
})

const ACCOUNT = {
  id: 'acc_secret_17',
  name: 'Jane Doe Ltd',
  plan: 'Business',
  seats: 3,
  status: 'active',
  mrr_minor: 1_900,
  currency: 'EUR',
  renews_on: null,
  admin_url: 'https://admin.example.com/accounts/17',
}
const PERSONAL = /acc_secret_17|jane|issue_77|user_5|org_8/i

async function openIssue(change: Partial<Env> = {}) {
  const url = await listen((_, response) => response.end('[]'))
  const query = async (sql: string) => (sql.includes('invoices') ? [] : [ACCOUNT])
  const env = {
    SIDECARD_SECRET: 's',
    DB: { query, close: async () => undefined } as unknown as Env['DB'],
    ERRORS_URL: url,
    CACHE: memoryStore(),
    ...change,
  }
  const service = createTestService(app, { env, headers: { 'x-sidecard-secret': 's' } })
  await service.connect()
  spanExporter.reset()
  return service.openIssue({
    account_id: 'acc_secret_17',
    requester_email: 'jane@doe.example',
    issue_id: 'issue_77',
    requester_id: 'user_5',
    organization_id: 'org_8',
  })
}

/** The spans as a tree of lines, such as `GET billing > fetchData`. */
function tree(spans: readonly ReadableSpan[]): string[] {
  const path = (span: ReadableSpan): string => {
    const parent = spans.find(
      (other) => other.spanContext().spanId === span.parentSpanContext?.spanId,
    )
    const title = span.attributes['sidecard.section'] ?? span.attributes['sidecard.via']
    const name = typeof title === 'string' ? `${span.name} ${title}` : span.name
    return parent === undefined ? name : `${path(parent)} > ${name}`
  }
  return spans.map(path).toSorted()
}

function serializeSpans(spans: readonly ReadableSpan[]): string {
  return JSON.stringify(
    spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
  )
}

async function collectMetrics() {
  metricExporter.reset()
  await reader.forceFlush()
  const collected = metricExporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics)
  return collected
    .flatMap(({ metrics: each }) => each)
    .flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => ({
        name: descriptor.name,
        attributes,
        count: typeof value === 'number' ? value : (value as { count: number }).count,
      })),
    )
}

test('spans are nested from the request to the store, without personal values', async () => {
  expect((await openIssue()).failures).toEqual([])
  const spans = spanExporter.getFinishedSpans()
  expect(tree(spans)).toEqual([
    'GET billing',
    'GET billing > fetchData',
    'GET billing > fetchData > identify account_id',
    'GET billing > section Last invoices',
    'GET billing > section Recent errors',
    // The entry and its mark.
    'GET billing > section Recent errors > store.get',
    'GET billing > section Recent errors > store.set',
  ])
  expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1)
  expect(serializeSpans(spans)).toContain('"http.response.status_code":200')
  expect(serializeSpans(spans)).not.toMatch(PERSONAL)
})

test('spans record the errors of sections and lookups, without their messages', async () => {
  const broken = (part: string) => ({
    query: async (sql: string) => {
      if (sql.includes(part)) throw new RangeError('no row for jane@doe.example')
      return [ACCOUNT]
    },
  })
  await openIssue({ DB: broken('invoices') as unknown as Env['DB'] })
  const failed = spanExporter
    .getFinishedSpans()
    .filter(({ status }) => status.code === SpanStatusCode.ERROR)
  expect(tree(failed)).toEqual(['section Last invoices'])
  expect(failed[0]?.events[0]?.attributes).toMatchObject({ 'exception.type': 'RangeError' })
  expect(serializeSpans(spanExporter.getFinishedSpans())).not.toMatch(PERSONAL)

  const { failures } = await openIssue({ DB: broken('accounts') as unknown as Env['DB'] })
  expect(failures.map(({ kind }) => kind)).toEqual(['identity_failed'])
  const spans = spanExporter
    .getFinishedSpans()
    .filter(({ status }) => status.code === SpanStatusCode.ERROR)
  expect(spans.map(({ name }) => name)).toEqual(['identify', 'fetchData'])
})

test('metrics count responses, sections, failures and cached sections', async () => {
  await collectMetrics()
  const CACHE = memoryStore()
  await openIssue({ CACHE })
  await openIssue({
    CACHE,
    DB: {
      query: async (sql: string) =>
        sql.includes('invoices') ? Promise.reject(new Error('jane')) : [ACCOUNT],
    } as unknown as Env['DB'],
  })
  const collected = await collectMetrics()
  expect(JSON.stringify(collected)).not.toMatch(PERSONAL)
  const count = (name: string, attributes: object) =>
    collected
      .filter((point) => point.name === name)
      .filter((point) => Object.entries(attributes).every(([k, v]) => point.attributes[k] === v))
      .reduce((sum, point) => sum + point.count, 0)
  const section = (title: string) => ({ 'sidecard.section': title })
  expect(count('sidecard.response.duration', { outcome: 'complete', via: 'account_id' })).toBe(1)
  expect(count('sidecard.response.duration', { outcome: 'failed' })).toBe(1)
  expect(count('sidecard.section.duration', section('Recent errors'))).toBe(2)
  expect(count('sidecard.section.duration', { ...section('Last invoices'), failed: true })).toBe(1)
  expect(
    count('sidecard.failures', {
      ...section('Last invoices'),
      kind: 'section_failed',
      stale: false,
    }),
  ).toBe(1)
  expect(count('sidecard.section.cache', { ...section('Recent errors'), status: 'miss' })).toBe(2)
})

test.each(['telemetry.ts', 'opentelemetry.ts'])('the guide shows %s', async (name) => {
  const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
  const guide = await read('docs/guides/observing.md')
  expect(guide).toContain(` file=src/${name}\n${await read(`examples/billing/src/${name}`)}\`\`\``)
})
