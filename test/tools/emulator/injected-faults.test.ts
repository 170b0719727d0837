import { describe, expect, test } from 'vitest'
import { createEmulator, type FaultRule } from 'sidecard/emulator'
import type { FaultEffect } from '../../../src/tools/emulator/faults/rules.ts'
import { connect } from './helpers.ts'

const onData = (effect: FaultEffect): FaultRule => ({
  side: 'apps',
  operation: 'fetch_data',
  effect,
})

const noSleep = { sleep: async () => undefined }

describe('a fault that the emulator injects', () => {
  test.each([
    ['status', { type: 'status', status: 503 }, 'return 503'],
    ['reset', { type: 'reset' }, 'close the connection'],
    ['reset', { type: 'hang_up', afterMs: 0 }, 'abort after 0 ms'],
  ] as const)(
    'is labeled everywhere and not attributed to the endpoint: %s',
    async (outcome, effect, words) => {
      const { emulator, open } = await connect(
        { data: () => new Promise(() => undefined) },
        noSleep,
      )
      emulator.faults.set([onData(effect)])
      const view = await open()
      const labeled = {
        outcome,
        injected: effect,
        message: `Fault injected by the emulator: ${words}.`,
        fix: 'Remove the fault with emulator.faults.clear(), and try again.',
        failures: [],
        findings: [],
      }
      expect(view).toMatchObject(labeled)
      expect(emulator.exchanges.get(view.exchangeId ?? '')).toMatchObject(labeled)
      expect(emulator.exchanges.list()[0]).toMatchObject({
        injected: effect,
        findings: { MUST: 0, SHOULD: 0, ASSUMED: 0 },
      })
    },
  )

  test('is labeled on a delayed response, whose content is the endpoint’s', async () => {
    const { emulator, open } = await connect({}, noSleep)
    const effect = { type: 'delay', delayMs: 800 } as const
    emulator.faults.set([onData(effect)])
    expect(await open()).toMatchObject({ outcome: 'rendered', injected: effect, message: '' })
  })

  test('explains a timeout after its delay, but not an error of the endpoint', async () => {
    let status = 200
    const { emulator, open } = await connect(
      { data: () => new Response('{}', { status }) },
      { timeoutMs: 500 },
    )
    emulator.faults.set([onData({ type: 'delay', delayMs: 60_000 })])
    expect(await open()).toMatchObject({
      outcome: 'timeout',
      message: 'Fault injected by the emulator: delay by 60000 ms.',
      findings: [],
    })
    emulator.faults.set([onData({ type: 'delay', delayMs: 59_000, jitterMs: 1_000 })])
    expect((await open()).message).toBe(
      'Fault injected by the emulator: delay by 59000 to 60000 ms.',
    )
    emulator.faults.set([onData({ type: 'delay', delayMs: 60_000, jitterMs: 0 })])
    expect((await open()).message).toBe('Fault injected by the emulator: delay by 60000 ms.')
    status = 500
    emulator.faults.set([onData({ type: 'delay', delayMs: 0 })])
    const view = await open()
    expect(view.outcome).toBe('status')
    expect(view.message).not.toContain('injected')
    expect(view.findings).not.toEqual([])
  })

  test('in a handshake leaves the app unverified, with the reason', async () => {
    const { emulator, app } = await connect()
    const effect = { type: 'status', status: 500 } as const
    emulator.faults.set([{ side: 'apps', operation: 'verify', effect }])
    expect(await emulator.apps.connect(app.id)).toMatchObject({
      state: 'unverified',
      lastHandshake: {
        result: {
          ok: false,
          injected: effect,
          message: 'Fault injected by the emulator: return 500.',
          fix: 'Remove the fault with emulator.faults.clear(), and try again.',
          explanation: { why: 'The endpoint is not the cause.' },
        },
      },
    })
  })

  test('that aborts cancels the request to the endpoint', async () => {
    let signal: AbortSignal | undefined
    const { emulator, open } = await connect(
      {
        data: (_url, request) => {
          signal = request.signal
          return new Promise(() => undefined)
        },
      },
      noSleep,
    )
    emulator.faults.set([onData({ type: 'hang_up', afterMs: 10 })])
    await open()
    expect(signal?.aborted).toBe(true)
  })

  test('that aborts after the response has no effect', async () => {
    const { emulator, open } = await connect()
    emulator.faults.set([onData({ type: 'hang_up', afterMs: 60_000 })])
    expect(await open()).toMatchObject({ outcome: 'rendered', injected: null })
  })

  test('sends its Retry-After on both sides', async () => {
    const { emulator, open } = await connect()
    const effect = { type: 'status', status: 429, retryAfterSeconds: 7 } as const
    emulator.faults.set([onData(effect), { side: 'api', effect }])
    const view = await open()
    const { response } = emulator.exchanges.get(view.exchangeId ?? '')
    expect(response).toMatchObject({ status: 429, headers: { 'retry-after': '7' } })
    const api = await emulator.fetch(`${emulator.url}/users`, {
      headers: { authorization: `Bearer ${emulator.accessToken}` },
    })
    expect([api.status, api.headers.get('retry-after')]).toEqual([429, '7'])
  })

  test('only affects its own side and operation', async () => {
    const { emulator, app, open } = await connect()
    const state = async () => [
      (await open()).outcome,
      (await emulator.apps.connect(app.id)).state,
      (
        await emulator.fetch(`${emulator.url}/users`, {
          headers: { authorization: `Bearer ${emulator.accessToken}` },
        })
      ).status,
    ]
    const effect = { type: 'status', status: 503 } as const
    emulator.faults.set([{ side: 'api', effect }])
    expect(await state()).toEqual(['rendered', 'connected', 503])
    emulator.faults.set([onData(effect)])
    expect(await state()).toEqual(['status', 'connected', 200])
    emulator.faults.set([{ side: 'apps', operation: 'verify', effect }])
    expect(await state()).toEqual(['rendered', 'unverified', 200])
  })

  test('does not affect the last successful render', async () => {
    const { emulator, open } = await connect()
    const good = await open()
    emulator.faults.set([onData({ type: 'reset' })])
    expect((await open()).lastGood?.payload).toEqual(good.payload)
  })
})

describe('a rule that cannot work is rejected', () => {
  const reset = { type: 'reset' }
  const applies = (effect: string, to: string) =>
    `.effect.type: the effect "${effect}" does not apply to ${to}`
  const isNone = (side: string, operations: string) =>
    `.operation: is not an operation of the side "${side}": use one of ${operations}`
  const API =
    'createTask, listTicketForms, redactMessage, listUsers, listKnowledgeBases, listTeams, listTags, listUserRoles'
  const bound = (path: string, is: string) => `.${path}: Too ${is}`
  const status = { type: 'status', status: 503 }
  const delay = { type: 'delay', delayMs: 1 }

  test.each<[string, object]>([
    [applies('cut_off', 'the side "apps"'), { side: 'apps', effect: { type: 'cut_off' } }],
    [
      applies('schema_drift', 'the side "apps"'),
      { side: 'apps', effect: { type: 'schema_drift' } },
    ],
    [
      applies('bad_pagination', 'the side "apps"'),
      { side: 'apps', effect: { type: 'bad_pagination', kind: 'empty' } },
    ],
    [
      applies('hang_up', 'the side "api"'),
      { side: 'api', effect: { type: 'hang_up', afterMs: 1 } },
    ],
    [
      applies('bad_pagination', 'createTask'),
      { side: 'api', operation: 'createTask', effect: { type: 'bad_pagination', kind: 'empty' } },
    ],
    [isNone('api', API), { side: 'api', operation: 'fetch_data', effect: reset }],
    [isNone('api', API), { side: 'api', operation: 'toString', effect: reset }],
    [isNone('apps', 'verify, fetch_data'), { side: 'apps', operation: 'listUsers', effect: reset }],
    [
      bound('effect.status', 'small: expected number to be >=400'),
      { side: 'api', effect: { type: 'status', status: 399 } },
    ],
    [
      bound('effect.status', 'big: expected number to be <=599'),
      { side: 'api', effect: { type: 'status', status: 600 } },
    ],
    [
      bound('effect.retryAfterSeconds', 'big: expected number to be <=86400'),
      { side: 'api', effect: { ...status, retryAfterSeconds: 86_401 } },
    ],
    [
      bound('effect.retryAfterSeconds', 'small: expected number to be >=0'),
      { side: 'api', effect: { ...status, retryAfterSeconds: -1 } },
    ],
    [
      bound('effect.delayMs', 'big: expected number to be <=60000'),
      { side: 'api', effect: { ...delay, delayMs: 60_001 } },
    ],
    [
      bound('effect.delayMs', 'small: expected number to be >=0'),
      { side: 'api', effect: { ...delay, delayMs: -1 } },
    ],
    [
      '.effect.delayMs: Invalid input: expected number, received NaN',
      { side: 'api', effect: { type: 'delay', delayMs: NaN } },
    ],
    [
      bound('effect.jitterMs', 'big: expected number to be <=60000'),
      { side: 'api', effect: { ...delay, jitterMs: 60_001 } },
    ],
    [
      bound('probability', 'big: expected number to be <=1'),
      { side: 'api', probability: 1.1, effect: reset },
    ],
    [
      bound('probability', 'small: expected number to be >=0'),
      { side: 'api', probability: -0.1, effect: reset },
    ],
    [bound('times', 'small: expected number to be >=0'), { side: 'api', times: -1, effect: reset }],
    [': Unrecognized key: "chance"', { side: 'api', chance: 1, effect: reset }],
    ['.effect: Unrecognized key: "afterMs"', { side: 'api', effect: { ...reset, afterMs: 1 } }],
  ])('%s', (message, rule) => {
    const emulator = createEmulator()
    expect(() => emulator.faults.set([rule as FaultRule])).toThrow(
      expect.objectContaining({
        code: 'invalid_fault',
        message: `emulator.faults.set: rules[0]${message}.`,
      }),
    )
    expect(emulator.faults.list()).toEqual([])
  })

  test('unless every value is within its limits', () => {
    const emulator = createEmulator()
    const rules: readonly FaultRule[] = [
      { side: 'api', effect: { type: 'status', status: 400, retryAfterSeconds: 0 } },
      { side: 'apps', effect: { type: 'status', status: 599, retryAfterSeconds: 86_400 } },
      { side: 'api', effect: { type: 'delay', delayMs: 0, jitterMs: 0 } },
      { side: 'apps', effect: { type: 'delay', delayMs: 60_000, jitterMs: 60_000 } },
      { side: 'apps', operation: 'verify', effect: { type: 'hang_up', afterMs: 60_000 } },
      { side: 'api', probability: 0, times: 0, effect: { type: 'cut_off' } },
      { side: 'api', probability: 1, effect: { type: 'schema_drift' } },
      {
        side: 'api',
        operation: 'listTags',
        effect: { type: 'bad_pagination', kind: 'empty' },
      },
    ]
    emulator.faults.set(rules, { seed: 4_294_967_295 })
    expect([emulator.faults.list(), emulator.faults.seed]).toEqual([rules, 4_294_967_295])
    expect(() => emulator.faults.set(rules, { seed: 4_294_967_296 })).toThrow(
      'emulator.faults.set: seed must be an integer from 0 to 4294967295.',
    )
    const many = Array.from({ length: 51 }, () => rules[0] as FaultRule)
    expect(() => emulator.faults.set(many)).toThrow('emulator.faults.set: rules: ')
    emulator.faults.set(many.slice(1))
    expect(emulator.faults.list()).toHaveLength(50)
  })

  test('in a request header', async () => {
    const emulator = createEmulator()
    const response = await emulator.fetch(`${emulator.url}/tasks?title=x`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${emulator.accessToken}`,
        'x-sidecard-emulator-fault': 'bad_pagination=empty',
      },
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ code: 'invalid_fault' }] })
  })
})
