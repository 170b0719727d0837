import { button, card, noAuth, sidecard, text } from 'sidecard'
import {
  action,
  actions,
  type Agent,
  anyAgent,
  checkboxField,
  dateField,
  d1Receipts,
  memoryReceipts,
  moneyField,
  numberField,
  selectField,
  textField,
} from 'sidecard/actions'
import type { D1Statements } from '../../src/runtime/actions/receipts/sql-receipts.ts'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

interface Env {
  readonly DB: D1Statements
  readonly PUBLIC_URL: string
}
interface OtherEnv {
  readonly KV: { get(): void }
}

const SECRET = 'an-action-secret-of-more-than-32-characters'

const extendTrial = action<Env>()({
  name: 'extend-trial',
  label: 'Extend trial',
  input: z.object({ accountId: z.string(), seats: z.coerce.number().default(1) }),
  form: {
    days: numberField({ label: 'Days', min: 1 }),
    note: textField({ label: 'Note' }),
    reason: textField({ label: 'Reason', optional: true }),
    plan: selectField({ label: 'Plan', options: { team: 'Team', business: 'Business' } }),
    size: selectField({ label: 'Size', options: { s: 'S', m: 'M' }, optional: true }),
  },
  show(ctx, input) {
    expectTypeOf(ctx.env).toEqualTypeOf<Env>()
    expectTypeOf(ctx.agent).toEqualTypeOf<Agent | undefined>()
    expectTypeOf(input).toEqualTypeOf<{ accountId: string; seats: number }>()
    return [card({ components: [] }), text({ label: 'a', value: 'b' }), false]
  },
  async run(ctx, { accountId }, { days, note, reason, plan, size }) {
    expectTypeOf(ctx.params.issue_id).toEqualTypeOf<string | undefined>()
    expectTypeOf(accountId).toEqualTypeOf<string>()
    expectTypeOf(days).toEqualTypeOf<number>()
    expectTypeOf(note).toEqualTypeOf<string>()
    expectTypeOf(reason).toEqualTypeOf<string | undefined>()
    expectTypeOf(plan).toEqualTypeOf<'team' | 'business'>()
    expectTypeOf(size).toEqualTypeOf<'s' | 'm' | undefined>()
  },
  summary: ({ accountId }, { days, plan }) => `Extend ${accountId} by ${days} (${plan})`,
  audit: ({ accountId }, { days }) => ({ accountId, days }),
  lookUp: async (ctx, { accountId }, receipt) => {
    expectTypeOf(ctx.idempotencyKey).toEqualTypeOf<string>()
    expectTypeOf(accountId).toEqualTypeOf<string>()
    return receipt.idempotencyKey === '' ? 'unknown' : 'done'
  },
  lateMs: 0,
  canSetOutcome: (ctx) => ctx.agent?.groups.includes('leads') === true,
  uniqueKey: ({ accountId }, ids) => `${accountId} ${ids.issue_id}`,
  authorize: (ctx, { seats }, values) =>
    seats > (values?.days ?? 0) && ctx.agent?.email?.endsWith('@acme.example') === true,
})

test('a form from the context types its values', () => {
  action<Env>()({
    name: 'refund',
    label: 'Refund',
    input: z.object({ left: z.number() }),
    form: async (ctx, { left }) => {
      expectTypeOf(ctx.env).toEqualTypeOf<Env>()
      return {
        amount: moneyField({ label: 'Amount', currency: 'EUR', max: left }),
        fee: moneyField({ label: 'Fee', currency: 'EUR', max: { major: '5' }, units: 'major' }),
        due: dateField({ label: 'Due', optional: true }),
        notify: checkboxField({ label: 'Notify' }),
      }
    },
    show: () => null,
    run(_ctx, _input, { amount, fee, due, notify }) {
      expectTypeOf(amount).toEqualTypeOf<number>()
      expectTypeOf(fee).toEqualTypeOf<string>()
      expectTypeOf(due).toEqualTypeOf<string | undefined>()
      expectTypeOf(notify).toEqualTypeOf<boolean>()
    },
    summary: (_input, { amount }) => {
      expectTypeOf(amount).toEqualTypeOf<number>()
      return 'x'
    },
  })
})

test('an app with actions needs a name', () => {
  const options = {
    header: { title: 'Billing' },
    auth: noAuth(),
    fetchData: () => null,
    actions: actions<Env>({
      list: [extendTrial],
      secret: SECRET,
      signIn: anyAgent(),
      receipts: memoryReceipts(),
    }),
  }
  // @ts-expect-error -- the name is missing
  expect(() => sidecard<Env>(options)).toThrow('sidecard: name must be set in an app with actions')
})

test('an action types its input, form, bindings and agent', () => {
  expectTypeOf(extendTrial.button({ accountId: 'a' })).toEqualTypeOf(
    button({ label: 'a', url: 'https://a.example/' }),
  )
  const declare = () => {
    // @ts-expect-error -- the input is missing
    extendTrial.button({})
    // @ts-expect-error -- a number is not an ID
    extendTrial.button({ accountId: 7 })
    // @ts-expect-error -- there is no such input
    extendTrial.button({ accountId: 'a', acountId: 'b' })
    // @ts-expect-error -- there is no such option
    extendTrial.button({ accountId: 'a' }, { lable: 'x' })
  }
  expectTypeOf(declare).returns.toBeVoid()
})

test('actions() is typed by the bindings of its app', () => {
  const declare = () => {
    sidecard<Env>({
      name: 'billing',
      header: { title: 'Billing' },
      auth: noAuth(),
      fetchData: () => [extendTrial.button({ accountId: 'a' })],
      actions: actions({
        list: [extendTrial],
        publicUrl: (env) => env.PUBLIC_URL,
        secret: { binding: 'SIDECARD_ACTION_SECRET' },
        signIn: anyAgent(),
        receipts: (env) => d1Receipts(env.DB),
      }),
    })
    actions<OtherEnv>({
      // @ts-expect-error -- the action needs other bindings
      list: [extendTrial],
      secret: SECRET,
      signIn: anyAgent(),
      receipts: memoryReceipts(),
    })
    // @ts-expect-error -- signIn is required
    actions<Env>({ list: [extendTrial], secret: SECRET, receipts: memoryReceipts() })
  }
  expectTypeOf(declare).returns.toBeVoid()
})

test('without a type argument, bindings are variables', () => {
  const plain = action()({
    name: 'a',
    label: 'A',
    input: z.object({}),
    show(ctx) {
      expectTypeOf(ctx.env).toEqualTypeOf<Record<string, string | undefined>>()
      return null
    },
    run(_ctx, _input, values) {
      expectTypeOf(values).toEqualTypeOf<{}>()
    },
  })
  expectTypeOf(plain.name).toEqualTypeOf<string>()
})
