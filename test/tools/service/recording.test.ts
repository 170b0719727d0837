import { describe, expect, test } from 'vitest'
import { check } from 'sidecard/check'
import { createEmulator } from 'sidecard/emulator'
import { createTestService, isRecording, type Recording, replay } from 'sidecard/testing'

const createRecording = (account: string, value: string): Recording => ({
  recording: 1,
  request: { params: { account_id: account }, headerNames: [] },
  response: {
    status: 200,
    contentType: 'application/json',
    body: {
      version: '1.0.0',
      header: { title: 'Billing' },
      components: [{ type: 'text', label: 'Plan', value }],
    },
  },
})
const acme = createRecording('account_1', 'Pro')

/** An issue with only an account ID. */
const issueWithAccount = (account: string) => ({
  app_id: undefined,
  widget_id: undefined,
  issue_id: undefined,
  organization_id: undefined,
  account_id: account,
  requester_id: undefined,
  requester_email: undefined,
})

describe('a replayed recording', () => {
  test('responds to each issue as recorded, and to an unknown one with the first recording', async () => {
    const service = createTestService(replay(acme, createRecording('account_2', 'Free')))
    await service.connect()
    const text = async (account: string) =>
      (await service.openIssue(issueWithAccount(account))).text
    expect(await text('account_1')).toContain('Pro')
    expect(await text('account_2')).toContain('Free')
    expect(await text('account_3')).toContain('Pro')
  })

  test('connects to an emulator', async () => {
    await using emulator = createEmulator()
    const app = await emulator.apps.create({ name: 'Recorded', target: replay(acme) })
    expect(app.state).toBe('connected')
  })

  test('conforms to the contract', async () => {
    const { summary } = await check(replay(acme), { expectAuth: false })
    expect(summary.fail).toBe(0)
  })

  test('keeps a status and a missing Content-Type', async () => {
    const { request } = acme
    const target = replay({ recording: 1, request, response: { status: 503, body: null } })
    const answer = await target.fetch(new Request('http://x.test/?request_type=fetch_data'))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([503, null])
    expect(await answer.text()).toBe('null')
  })
})

test.each([
  ['null', null],
  ['an array', [acme]],
  ['a payload', acme.response.body],
  ['another format', { ...acme, recording: 2 }],
  ['no request', { recording: 1, response: acme.response }],
  ['ids that are no strings', { ...acme, request: { params: { account_id: 7 }, headerNames: [] } }],
  ['a status that no answer has', { ...acme, response: { ...acme.response, status: 99 } }],
  ['a status without a body', { ...acme, response: { ...acme.response, status: 204 } }],
  ['no body', { ...acme, response: { status: 200 } }],
])('%s is not a recording', (_what, value) => {
  expect(isRecording(value)).toBe(false)
  expect(() => replay(value as never)).toThrow(
    expect.objectContaining({ code: 'invalid_recording' }),
  )
})

test('replay() requires at least one recording', () => {
  expect(() => replay()).toThrow(expect.objectContaining({ code: 'invalid_recording' }))
})
