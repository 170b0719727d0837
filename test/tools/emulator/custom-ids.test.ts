import { describe, expect, test } from 'vitest'
import { createEmulator, type DatasetInput } from 'sidecard/emulator'
import type { CustomIds } from '../../../src/tools/emulator/protocol/exchanges.ts'
import { connect, type endpoint, widget } from './helpers.ts'

function sent(target: ReturnType<typeof endpoint>) {
  return Object.fromEntries(new URL(target.requests.at(-1)?.url ?? '').searchParams)
}

const ISSUE = {
  request_type: 'fetch_data',
  app_id: expect.stringMatching(/^app_/),
  widget_id: expect.stringMatching(/^wid_/),
  issue_id: 'iss_1042',
  organization_id: 'org_tidepool',
  account_id: 'acc_northwind',
  requester_id: 'usr_maria',
  requester_email: 'maria.anders@northwind.example',
}

describe('custom IDs', () => {
  test('replace those of the issue unchanged, and null omits one', async () => {
    const { open, target } = await connect()
    const params: CustomIds = { account_id: "Ä & '1'", requester_id: '', requester_email: null }
    const view = await open({ params })
    const { requester_email: _, ...rest } = ISSUE
    expect(sent(target)).toEqual({ ...rest, account_id: "Ä & '1'", requester_id: '' })
    expect(Object.fromEntries(view.parameters)).toEqual(sent(target))
    const group = { id: expect.stringMatching(/^grp_/), kind: 'open' }
    expect(view.exchange).toMatchObject({
      isCustom: true,
      customer: 'Northwind Traders',
      state: null,
      group,
    })
  })

  test('of two customers do not share a last successful render', async () => {
    let isDown = false
    const { open } = await connect({
      data: (url) =>
        isDown
          ? new Response('', { status: 500 })
          : Response.json(widget(url.searchParams.get('account_id') ?? '')),
    })
    const ada = { params: { account_id: 'ada' } }
    await open(ada)
    isDown = true
    expect((await open({ params: { account_id: 'bob' } })).lastGood).toBeNull()
    expect((await open(ada)).lastGood?.payload).toEqual(widget('ada'))
  })

  test.each([
    ['there is no ID "params.acount_id". Did you mean account_id?', { acount_id: 'x' }],
    [
      'there is no ID "params.request_type". The IDs are app_id, widget_id, issue_id, organization_id, account_id, requester_id, requester_email.',
      { request_type: 'verify' },
    ],
    ['params.requester_id must be a string, or null to leave it out.', { requester_id: 7 }],
    ['params.requester_id must be a string, or null to leave it out.', { requester_id: {} }],
    ['params must be an object.', null],
    ['params must be an object.', 'account_id=7'],
  ])('that are invalid send no request: %s', async (message, params) => {
    const { open, target } = await connect()
    const before = target.requests.length
    await expect(open({ params: params as CustomIds })).rejects.toMatchObject({
      code: 'invalid_options',
      message: `emulator.issues.open: ${message}`,
    })
    expect(target.requests.length).toBe(before)
  })
})

describe('a data set of the user', () => {
  const dataset: DatasetInput = {
    organization: { id: 'org_7', name: 'Example Inc.' },
    customers: [
      {
        name: 'Ada',
        requester_id: 'u1',
        requester_email: 'ada@example.com',
        account_id: 'a1',
        account_name: 'Engines',
      },
      { name: 'Bob', requester_email: 'bob@example.com' },
    ],
    issues: [
      { title: 'It <b>broke</b>', customer: 'Ada', message: "Help & <script>, it's broken\nTwice" },
      { title: 'Second', customer: 'Bob', id: '77', state: 'closed' },
    ],
  }

  test('adds its customers and its issues', async () => {
    const { emulator } = await connect({}, { dataset })
    expect(emulator.issues.list()).toMatchObject([
      {
        id: 'iss_1',
        title: 'It <b>broke</b>',
        account: { id: 'a1', name: 'Engines' },
        requester: { id: 'u1', name: 'Ada', email: 'ada@example.com' },
      },
      { id: '77', state: 'closed', account: null, requester: { id: 'usr_2' } },
    ])
    expect(emulator.issues.get('iss_1').messages[0]?.message_html).toBe(
      '<p>Help &amp; &lt;script&gt;, it&#39;s broken<br>Twice</p>',
    )
    expect(emulator.issues.get('iss_1').preview).toBe("Help & <script>, it's broken Twice")
    const { widgets } = await emulator.issues.open('77')
    expect(Object.fromEntries(widgets[0]?.parameters ?? [])).toMatchObject({
      organization_id: 'org_7',
      account_id: '',
      requester_email: 'bob@example.com',
    })
  })

  test('has an issue for each customer by default, and survives a reset', () => {
    const emulator = createEmulator({ dataset: { customers: [{ name: 'Ada' }, { name: 'Bob' }] } })
    const titles = () => emulator.issues.list().map(({ title }) => title)
    expect(titles()).toEqual(['Question from Ada', 'Question from Bob'])
    emulator.restore({ documents: [] })
    expect(titles()).toEqual([])
    emulator.reset()
    expect(titles()).toEqual(['Question from Ada', 'Question from Bob'])
  })

  const wrong: ReadonlyArray<readonly [string, unknown]> = [
    [': customers: Invalid input: expected array, received undefined', {}],
    [': customers has no customer', { customers: [] }],
    [': customers[1].name occurs twice', { customers: [{ name: 'A' }, { name: 'A' }] }],
    [
      ': customers[1].requester_id occurs twice',
      { customers: [{ name: 'A', requester_id: 'usr_2' }, { name: 'B' }] },
    ],
    [': customers[0].name is empty', { customers: [{ name: '' }] }],
    [
      ': customers[0].name: Too big: expected string to have <=200 characters',
      { customers: [{ name: 'x'.repeat(201) }] },
    ],
    [
      ': customers[0].requester_email: Too big: expected string to have <=320 characters',
      { customers: [{ name: 'A', requester_email: 'x'.repeat(321) }] },
    ],
    [': customers[0]: Unrecognized key: "email"', { customers: [{ name: 'A', email: 'x' }] }],
    [
      ': customers[0].account_id: Invalid input: expected string, received number',
      { customers: [{ name: 'A', account_id: 7 }] },
    ],
    [': organization.id is empty', { organization: { id: '', name: 'x' }, customers: [] }],
    [
      ': issues[0].customer is not the name of a customer',
      { customers: [{ name: 'Ada' }], issues: [{ title: 'x', customer: 'Somebody else' }] },
    ],
    [
      ': issues[0].state: Invalid option: expected one of "new"|"open"|"waiting"|"closed"',
      { customers: [{ name: 'A' }], issues: [{ title: 'x', customer: 'A', state: 'done' }] },
    ],
    [
      ': issues[0].customer is not the name of a customer. Did you mean "Ada"?',
      { customers: [{ name: 'Ada' }], issues: [{ title: 'x', customer: 'Adda' }] },
    ],
    [
      ': issues[1].id occurs twice',
      {
        customers: [{ name: 'A' }],
        issues: [
          { title: 'x', customer: 'A', id: '1' },
          { title: 'x', customer: 'A', id: '1' },
        ],
      },
    ],
    [': Invalid input: expected object, received array', []],
    [': Invalid input: expected object, received null', null],
  ]
  test.each(wrong)('that is invalid is rejected: %s', (message, value) => {
    const create = () => createEmulator({ dataset: value as DatasetInput })
    expect(create).toThrow(
      expect.objectContaining({
        code: 'invalid_dataset',
        message: `The data set${message}${message.endsWith('?') ? '' : '.'} See docs/emulator.md#data-sets.`,
      }),
    )
  })
})

test.each<[object, string]>([
  [null as never, 'the options argument must be an object.'],
  [
    { seed: 'large' },
    'there is no option "seed". The options are database, dataset, project, saveToProject, projectDir, siteUrl, strict, accessToken, timeoutMs, now, sleep, codes, fetch.',
  ],
  [{ datset: 'large' }, 'there is no option "datset". Did you mean dataset?'],
  [
    { toString: 1 },
    'there is no option "toString". The options are database, dataset, project, saveToProject, projectDir, siteUrl, strict, accessToken, timeoutMs, now, sleep, codes, fetch.',
  ],
  [{ dataset: 'huge' as never }, 'dataset must be an object.'],
  ...[0, 0.9, 2_147_483_648, NaN].map(
    (timeoutMs) =>
      [{ timeoutMs }, 'timeoutMs must be an integer from 1 to 2147483647 (milliseconds).'] as [
        object,
        string,
      ],
  ),
  ...['', 'http://docs.example.com/', 'https://127.0.0.1/', 'https://localhost:5173/', 'docs'].map(
    (siteUrl) =>
      [{ siteUrl }, 'siteUrl must be an https URL of another machine.'] as [object, string],
  ),
  ...['', 'a b', 'a\nb', 'schlüssel'].map(
    (accessToken) =>
      [{ accessToken }, 'accessToken must be printable ASCII without spaces.'] as [object, string],
  ),
])('the options %j are rejected', (options, message) => {
  expect(() => createEmulator(options)).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: `createEmulator: ${message}` }),
  )
})

test.each([{ timeoutMs: 1 }, { timeoutMs: 2_147_483_647 }, { accessToken: '!~' }])(
  'the options %j are accepted',
  async (options) => {
    await using emulator = createEmulator(options)
    expect(emulator.issues.list()).toHaveLength(8)
  },
)
