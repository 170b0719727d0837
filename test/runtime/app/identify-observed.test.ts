import { expect, test } from 'vitest'
import { audit, type AuditRecord, identify, type Instrument } from 'sidecard'
import { acme, fetchFrom, show } from '../../helpers/identify.ts'

const ids = { account_id: 'canary-account', requester_email: 'canary@acme.example' }

test('the audit record contains the matched ID and the unmatched ones', async () => {
  const records: AuditRecord[] = []
  await fetchFrom(
    async (ctx) =>
      show(await identify(ctx, { account_id: () => null, requester_email: () => acme })),
    ids,
    { instrument: audit((record) => void records.push(record)) },
  )
  expect(records).toEqual([
    expect.objectContaining({ via: 'requester_email', unmatched: ['account_id'] }),
  ])
})

test.each([
  ['none', () => null, 'not_found'],
  ['several', () => [acme, acme], 'ambiguous'],
])('the audit record of %s has the outcome and no match', async (_name, lookup, outcome) => {
  const records: AuditRecord[] = []
  await fetchFrom((ctx) => identify(ctx, { account_id: lookup }) as never, ids, {
    instrument: audit((record) => void records.push(record)),
  })
  expect(records).toEqual([expect.objectContaining({ via: undefined, unmatched: [], outcome })])
})

test('each lookup has a span, without values of the request', async () => {
  const spans: unknown[] = []
  const instrument: Instrument = {
    async span(name, attributes, run) {
      const span = { name, attributes, failed: false }
      spans.push(span)
      try {
        return await run()
      } catch (error) {
        span.failed = true
        throw error
      }
    },
  }
  await fetchFrom(
    (ctx) =>
      identify(ctx, {
        requester_id: () => acme,
        account_id: () => null,
        requester_email: () => Promise.reject(new Error('db down')),
        email_domain: () => acme,
      }) as never,
    ids,
    { instrument },
  )
  expect(spans).toEqual([
    { name: 'fetchData', attributes: {}, failed: true },
    { name: 'identify', attributes: { 'sidecard.via': 'account_id' }, failed: false },
    { name: 'identify', attributes: { 'sidecard.via': 'requester_email' }, failed: true },
  ])
  expect(JSON.stringify(spans)).not.toContain('canary')
})
