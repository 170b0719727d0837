import { describe, expect, test } from 'vitest'
import { check } from 'sidecard/check'
import { createClient, type SidecardError } from 'sidecard/client'
import { createEmulator, type Emulator } from 'sidecard/emulator'
import { createTestService } from 'sidecard/testing'
import { createEndpointClient } from '../../src/tools/service/endpoint-client.ts'
import { frameworkRows } from './framework-rows.ts'
import type { Row } from './row.ts'

/**
 * Every function with options gives the same text for the same mistake. A new
 * function is one row: its name, a call, and one of its options with a misspelled
 * name. `number` is an option that takes a number, and a number out of its range.
 */
const MILLISECONDS = 'an integer from 1 to 2147483647 (milliseconds)'
const timeoutMs = { name: 'timeoutMs', expected: MILLISECONDS, outside: 0 }
const target = { fetch: () => expect.unreachable('The call must not send a request.') }
const account = { baseUrl: 'https://api.example.com', accessToken: 'token' }
const client = createClient({ ...account, fetch: target.fetch })
const callTypo = { option: 'signal', typo: 'signl' }

const lists = ['ticketForms', 'users', 'knowledgeBases', 'teams', 'tags', 'userRoles'] as const

const rows: readonly Row[] = [
  {
    caller: 'createClient',
    call: createClient,
    option: 'maxPages',
    typo: 'maxPage',
    number: timeoutMs,
    valid: account,
  },
  {
    caller: 'createClient',
    call: (retry) => createClient({ ...account, retry }),
    option: 'retry.maxRetries',
    typo: 'retry.maxRetrys',
    number: { name: 'retry.maxRetries', expected: 'an integer from 0 to 20', outside: -2 },
  },
  ...lists.map((name) => ({
    caller: `client.${name}.list`,
    call: (options: any) => client[name].list(options),
    option: 'limit',
    typo: 'limt',
    number: { name: 'limit', expected: 'a positive integer', outside: 0 },
  })),
  {
    caller: 'toArray',
    call: (options) => client.users.list().toArray(options),
    option: 'max',
    typo: 'maxx',
    number: { name: 'max', expected: 'an integer from 0, or Infinity', outside: -2 },
  },
  {
    caller: 'client.tasks.create',
    call: (options) => client.tasks.create({ title: 'x' }, options),
    ...callTypo,
  },
  {
    caller: 'client.messages.redact',
    call: (options) => client.messages.redact({ issue_id: 'i', message_id: 'm' }, options),
    ...callTypo,
  },
  {
    caller: 'client.request',
    call: (options) => client.request('GET', '/x', options),
    ...callTypo,
  },
  {
    caller: 'createTestService',
    call: (options) => createTestService(target, options),
    option: 'headers',
    typo: 'header',
    number: timeoutMs,
  },
  {
    caller: 'createEndpointClient',
    call: createEndpointClient,
    option: 'maxBodyBytes',
    typo: 'maxBodybyte',
    number: timeoutMs,
    valid: { target },
  },
  {
    caller: 'check',
    call: (options) => check(target, options),
    option: 'expectAuth',
    typo: 'expectauth',
    number: timeoutMs,
  },
  {
    caller: 'createEmulator',
    call: createEmulator,
    option: 'dataset',
    typo: 'datset',
    number: timeoutMs,
  },
  ...emulatorRows(),
  ...frameworkRows,
]

/** Each call has its own emulator, with an app and a request in its log. */
function emulatorRows(): readonly Row[] {
  const row = (
    name: string,
    call: (emulator: Emulator, options: any) => unknown,
    option: string,
    typo: string,
    more: Partial<Row> = {},
  ): Row => ({
    caller: `emulator.${name}`,
    call: async (options) => {
      await using emulator = createEmulator({ fetch: () => new Response('{}') })
      await emulator.apps.create({ name: 'x', url: 'http://localhost:1/' })
      return await call(emulator, options)
    },
    option,
    typo,
    ...more,
  })
  const app = (emulator: Emulator) => emulator.apps.list()[0]!
  const exchange = (emulator: Emulator) => emulator.exchanges.list()[0]!.id
  const live = { appId: 'a', url: 'http://localhost/', startedAt: 0, durationMs: 1 }
  return [
    row('listen', (emulator, where) => emulator.listen(where), 'port', 'prt', {
      number: { name: 'port', expected: 'an integer from 0 to 65535', outside: -2 },
    }),
    row('reset', (emulator, options) => emulator.reset(options), 'keepApps', 'keepapp'),
    row('restore', (emulator, given) => emulator.restore(given), 'documents', 'document'),
    row('apps.create', (emulator, input) => emulator.apps.create(input), 'headers', 'header'),
    row(
      'apps.update',
      (emulator, change) => emulator.apps.update(app(emulator).id, change),
      'widgets',
      'widget',
    ),
    row(
      'issues.open',
      (emulator, options) => emulator.issues.open('iss_1042', options),
      'customer',
      'custmer',
    ),
    row(
      'issues.loadWidget',
      (emulator, options) =>
        emulator.issues.loadWidget('iss_1042', app(emulator).widgets[0]!.id, options),
      'sections',
      'section',
    ),
    row('faults.set', (emulator, options) => emulator.faults.set([], options), 'seed', 'sead', {
      number: { name: 'seed', expected: 'an integer from 0 to 4294967295', outside: -2 },
    }),
    row('console.append', (emulator, output) => emulator.console.append(output), 'text', 'txt', {
      valid: { stream: 'stdout', text: 'x' },
    }),
    row(
      'exchanges.save',
      (emulator, options) => emulator.exchanges.save(exchange(emulator), options),
      'anonymize',
      'anonymice',
    ),
    row(
      'exchanges.record',
      (emulator, given) => emulator.exchanges.record(given),
      'durationMs',
      'durationms',
      { valid: live },
    ),
  ]
}

/** Returns the problem of a call. The test fails if the call accepts its options. */
async function problemOf({ caller, call }: Row, options: unknown): Promise<string> {
  try {
    await call(options)
  } catch (error) {
    const { code, message } = error as SidecardError
    if (code === 'invalid_options' && message.startsWith(`${caller}: `)) {
      return message.slice(caller.length + 2)
    }
    throw error
  }
  throw new Error(`${caller} accepted its options.`)
}

/** Creates options from the path of one of them. */
const withOption = ({ valid }: Row, path: string, value: unknown) => ({
  ...valid,
  [path.replace(/^.*\./, '')]: value,
})

const parentOf = ({ option }: Row) => /^(.*)\./.exec(option)?.[1]

describe.each(rows.map((row) => [row.caller, row] as const))('%s', (_caller, row) => {
  const { option, typo, number } = row
  const parent = parentOf(row)

  test('names the nearest option', async () => {
    const nearest = option.replace(/^.*\./, '')
    expect(await problemOf(row, withOption(row, typo, 1))).toBe(
      `there is no option "${typo}". Did you mean ${nearest}?`,
    )
  })

  test.each([[null], [[]], [new Map([['a', 1]])], [new URLSearchParams('a=1')], ['a'], [5]])(
    'rejects %o instead of options',
    async (options) => {
      expect(await problemOf(row, options)).toBe(
        `${parent ?? 'the options argument'} must be an object.`,
      )
    },
  )

  test('says that a promise must be awaited', async () => {
    const rejected = () => Promise.reject(new Error('canary'))
    expect(await problemOf(row, rejected())).toBe(
      `${parent ?? 'the options argument'} is a promise: await it.`,
    )
    expect(await problemOf(row, withOption(row, option, rejected()))).toBe(
      `${option} is a promise: await it.`,
    )
  })

  test.each(
    number === undefined ? [] : [1.5, '5000', Number.NaN, -1, '', null, true, number.outside],
  )('rejects %j as a number', async (value) => {
    const { name, expected } = number!
    expect(await problemOf(row, withOption(row, name, value))).toBe(`${name} must be ${expected}.`)
  })
})
