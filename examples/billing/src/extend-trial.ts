import { calendarDate, fields } from 'sidecard'
import { action, ActionError, numberField, textField } from 'sidecard/actions'
import { z } from 'zod'
import * as accounts from './sources/accounts.ts'
import type { Env } from './sources/env.ts'

/** Extends the trial of an account, at most twice. */
export const extendTrial = action<Env>()({
  name: 'extend-trial',
  label: 'Extend trial',
  input: z.object({ accountId: z.string() }),
  form: {
    days: numberField({ label: 'Days', min: 1, max: 30, value: 14 }),
    reason: textField({ label: 'Reason', maxLength: 500, multiline: true, optional: true }),
  },
  async show({ env }, { accountId }) {
    const account = await accounts.findById(env.DB, accountId)
    if (!account?.trial_ends_on) throw new ActionError('This account has no trial.')
    return fields({ Account: account.name, 'Trial ends': calendarDate(account.trial_ends_on) })
  },
  async run({ env, agent }, { accountId }, { days, reason }) {
    const by = agent?.email ?? agent?.id
    const endsOn = await accounts.extendTrial(env.DB, accountId, days, by, reason)
    if (endsOn === undefined) throw new ActionError('The trial was already extended twice.')
    return fields({ 'Trial ends': calendarDate(endsOn) })
  },
})
