import { fields, money } from 'sidecard'
import { action, ActionError, moneyField, selectField } from 'sidecard/actions'
import { Stripe } from 'stripe'
import * as z from 'zod/mini'

/** The variables of the action. */
export interface RefundEnv {
  readonly STRIPE_REFUND_KEY?: string | undefined
}

/** Agents outside the group `leads` refund at most this, in minor units. */
const LIMIT = 10_000

/**
 * Creates an action that refunds a part of a charge in Stripe. While a
 * request can still arrive at Stripe, nobody can refund the same charge again.
 *
 * @param connect creates the client; a test passes its own
 */
export function createRefund(connect: (apiKey: string) => Stripe = createStripe) {
  const open = ({ STRIPE_REFUND_KEY: key }: RefundEnv) => {
    if (!key) throw new ActionError('Refunds are not set up.')
    return connect(key)
  }
  return action<RefundEnv>()({
    name: 'refund',
    label: 'Refund',
    input: z.object({ chargeId: z.string(), currency: z.string() }),
    async form(ctx, { chargeId }) {
      const { currency, left } = await readCharge(open(ctx.env), chargeId)
      if (left === 0) throw new ActionError('Nothing of this charge is left to refund.')
      return {
        amount: moneyField({ label: 'Amount', currency, min: 1, max: left, value: left }),
        reason: selectField({
          label: 'Reason',
          options: { requested_by_customer: 'Requested by the customer', duplicate: 'Duplicate' },
          value: 'requested_by_customer',
        }),
      }
    },
    summary: ({ chargeId, currency }, { amount }) =>
      `Refund ${money(amount, currency)} of ${chargeId}`,
    audit: ({ chargeId }, { amount, reason }) => ({ chargeId, amount, reason }),
    authorize: (ctx, _input, values) =>
      (values?.amount ?? 0) <= LIMIT || ctx.agent?.groups.includes('leads') === true,
    async show(ctx, { chargeId }) {
      const { currency, amount, left, name } = await readCharge(open(ctx.env), chargeId)
      return fields({
        Customer: name,
        Charge: chargeId,
        Amount: money(amount, currency),
        'Left to refund': money(left, currency),
      })
    },
    async run(ctx, { chargeId }, { amount, reason }) {
      const { idempotencyKey } = ctx
      try {
        const { id } = await open(ctx.env).refunds.create(
          { charge: chargeId, amount, reason, metadata: { sidecard_key: idempotencyKey } },
          { idempotencyKey },
        )
        return fields({ Refund: id })
      } catch (error) {
        // Stripe has checked the request, and done nothing.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
        throw new ActionError('Stripe rejected the refund.', { cause: error, field: 'amount' })
      }
    },
    // The client gives up after ten seconds. A proxy on the way may hold a request a little longer.
    lateMs: 60_000,
    async lookUp(ctx, { chargeId }, { idempotencyKey }) {
      const refunds = await open(ctx.env).refunds.list({ charge: chargeId, limit: 100 })
      const isDone = refunds.data.some(
        ({ metadata }) => metadata?.['sidecard_key'] === idempotencyKey,
      )
      return isDone ? 'done' : refunds.has_more ? 'unknown' : 'not_done'
    },
    canSetOutcome: (ctx) => ctx.agent?.groups.includes('leads') === true,
  })
}

/** Creates a client with a restricted key: write access to refunds, read access to charges. */
export function createStripe(apiKey: string, server: Partial<Stripe.StripeConfig> = {}): Stripe {
  return new Stripe(apiKey, { timeout: 10_000, maxNetworkRetries: 0, telemetry: false, ...server })
}

async function readCharge(stripe: Stripe, id: string) {
  const { amount, amount_refunded, currency, billing_details } = await stripe.charges.retrieve(id)
  return { amount, left: amount - amount_refunded, currency, name: billing_details.name }
}

/** The action for an app. */
export const refund = createRefund()
