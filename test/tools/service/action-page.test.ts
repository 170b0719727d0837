import { badge, button, card, secretHeader, sidecard, text } from 'sidecard'
import {
  action,
  ActionError,
  actions,
  checkboxField,
  memoryReceipts,
  numberField,
  selectField,
  textField,
} from 'sidecard/actions'
import { createTestService } from 'sidecard/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod/mini'
import { normalizeActionLinks } from '../../../src/tools/internal/action-link.ts'
import { toShape } from '../../../src/tools/service/responses/shape.ts'
import { AGENT } from '../../helpers/actions.ts'

function createApp(run: (ctx: any, input: any, values: any) => unknown = () => undefined) {
  const extendTrial = action()({
    name: 'extend-trial',
    label: 'Extend trial',
    input: z.object({ accountId: z.string() }),
    form: {
      days: numberField({ label: 'Days', min: 1, max: 30, value: 14 }),
      plan: selectField({
        label: 'Plan',
        options: { team: 'Team', business: 'Business' },
        value: 'team',
      }),
      notify: checkboxField({ label: 'Notify', value: true }),
      reason: textField({
        label: 'Reason',
        multiline: true,
        optional: true,
        value: 'Because "x" &lt; <y>',
      }),
    },
    show: (_ctx, { accountId }) => [
      text({ label: 'Account', value: `<${accountId}> & "co"` }),
      badge({
        label: 'Status',
        items: [
          { value: 'a', color: 'blue' },
          { value: 'b', color: 'red' },
        ],
      }),
    ],
    run: run as never,
  })
  return sidecard<{ SECRET: string }>({
    name: 'billing',
    header: { title: 'Billing' },
    auth: secretHeader('x-secret', (env) => env.SECRET),
    logger: false,
    fetchData: ({ params }) => [
      card({ components: [extendTrial.button({ accountId: params.account_id ?? '' })] }),
      extendTrial.button({ accountId: 'b' }, { label: 'Twice' }),
      extendTrial.button({ accountId: 'c' }, { label: 'Twice' }),
      button({ label: 'Open in admin', url: 'https://admin.example/' }),
    ],
    actions: actions({
      list: [extendTrial as never],
      publicUrl: 'https://billing.example.com/sidebar',
      secret: { binding: 'ACTION_SECRET' },
      signIn: () => Promise.reject(new Error('no sign-in in tests')),
      receipts: memoryReceipts(),
    }),
  })
}

const OPTIONS = { env: { SECRET: 's' }, headers: { 'x-secret': 's' }, agent: AGENT }

test('openAction shows the page, and confirm runs the action with the agent', async () => {
  const runs: unknown[] = []
  const service = createTestService(
    createApp((ctx, input, values) => {
      runs.push([ctx.agent, input, values, ctx.params.issue_id])
      return text({ label: 'Ends', value: 'soon' })
    }),
    OPTIONS,
  )
  await service.openIssue({ account_id: 'acme' })
  const page = await service.openAction('Extend trial')
  expect(page).toMatchObject({
    status: 200,
    title: 'Extend trial',
    text: 'Extend trial\nAccount: <acme> & "co"\nStatus: a, b\nSigned in as robin@acme.example',
    form: { days: '14', plan: 'team', notify: 'on', reason: 'Because "x" &lt; <y>' },
  })
  const confirmed = await page.confirm({ days: 7, plan: 'business', notify: false })
  expect(confirmed).toMatchObject({ status: 200, outcome: 'done' })
  expect(confirmed.text).toMatch(/^Done\nEnds: soon\nReload the sidebar to see the change\./)
  expect(runs).toEqual([
    [
      AGENT,
      { accountId: 'acme' },
      { days: 7, plan: 'business', notify: false, reason: 'Because "x" &lt; <y>' },
      'issue_1',
    ],
  ])
  expect(await page.confirm({ days: 7 })).toMatchObject({ outcome: 'already_done' })
  const again = await service.openAction('Extend trial')
  expect(again).toMatchObject({ title: 'Done', form: undefined })
  await expect(again.confirm()).rejects.toThrow('the page has no form')
})

test('confirm says what is wrong with a field', async () => {
  const service = createTestService(createApp(), OPTIONS)
  await service.openIssue()
  const page = await service.openAction('Extend trial')
  const invalid = await page.confirm({ days: 31 })
  expect(invalid).toMatchObject({ status: 422, outcome: 'invalid' })
  expect(invalid.text).toContain('Days: Enter a value from 1 to 30.')
  // As a text, this number would be an ambiguous 1.234.
  expect((await page.confirm({ days: 1.234 })).text).toContain('Days: Enter a whole number.')
  await expect(page.confirm({ day: 1 })).rejects.toThrow('the form has no field day')
})

test('an ActionError leaves nothing done, and another error is unknown', async () => {
  const closed = new ActionError('The trial was already extended twice.')
  for (const [error, outcome] of [
    [closed, 'refused'],
    [new Error('x'), 'unknown'],
  ] as const) {
    const service = createTestService(
      createApp(() => Promise.reject(error)),
      OPTIONS,
    )
    await service.openIssue()
    const page = await service.openAction('Extend trial')
    expect((await page.confirm()).outcome).toBe(outcome)
    if (outcome === 'refused') continue
    await service.openIssue()
    const next = await service.openAction('Extend trial')
    expect([next.title, next.form]).toEqual(['Outcome unknown', undefined])
  }
})

test('the clock and the receipts can be replaced', async () => {
  let now = Date.now()
  const receipts = memoryReceipts()
  const app = createApp()
  const service = createTestService(app, { ...OPTIONS, now: () => now, receipts })
  await service.openIssue()
  const page = await service.openAction('Extend trial')
  now += 2 * 3_600_000
  expect(await page.confirm()).toMatchObject({ outcome: 'expired', status: 410 })
})

test('without an agent, the app’s own sign-in counts', async () => {
  const { agent: _agent, ...options } = OPTIONS
  const service = createTestService(createApp(), options)
  await service.openIssue()
  expect(await service.openAction('Extend trial')).toMatchObject({
    status: 403,
    title: 'Not allowed',
  })
})

test('a label that is ambiguous, unknown or of another button is an error', async () => {
  const service = createTestService(createApp(), OPTIONS)
  await expect(service.openAction('Extend trial')).rejects.toThrow('call openIssue() first')
  const { payload } = await service.openIssue()
  await expect(service.openAction('Twice')).rejects.toThrow('openAction(payload.components[2]).')
  await expect(service.openAction('Delete')).rejects.toThrow(
    'has no button with this label. Its actions are "Extend trial", "Twice", "Twice".',
  )
  await expect(service.openAction('Open in admin')).rejects.toThrow('openAction:')
  const second = payload!.components[2]!
  expect(await service.openAction(second)).toMatchObject({ title: 'Extend trial' })
})

describe('links in tools', () => {
  test('a recording and a comparison contain no token', async () => {
    const service = createTestService(createApp(), OPTIONS)
    const { payload, findings } = await service.openIssue()
    expect(JSON.stringify(findings)).not.toContain('token')
    const again = await service.openIssue()
    const [one, two] = [payload, again.payload].map((each) => JSON.stringify(each))
    expect(one).not.toBe(two)
    expect(normalizeActionLinks(one!)).toBe(normalizeActionLinks(two!))
    const { body } = toShape({ params: {}, body: payload })
    expect(JSON.stringify(body)).not.toContain('eyJ')
  })
})
