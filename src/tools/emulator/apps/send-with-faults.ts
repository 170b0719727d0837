import type { SendRequest } from '../../service/endpoint/target.ts'
import type { EmulatorContext } from '../core/context.ts'
import { applyEffect, ConnectionReset } from '../faults/effects.ts'
import type { FaultEffect } from '../faults/rules.ts'

/** Sends requests through the active faults. */
export function sendWithFaults(
  { faults, sleep }: Pick<EmulatorContext, 'faults' | 'sleep'>,
  send: SendRequest,
  operation: 'verify' | 'fetch_data',
) {
  let injected: FaultEffect | null = null

  /** Aborts the request unless its response arrives first. */
  async function hangUp(request: Request, effect: Extract<FaultEffect, { type: 'hang_up' }>) {
    const sending = Promise.resolve(send(request))
    // The exchange aborts the request when it ends. By then, no caller handles the rejection.
    sending.catch(() => undefined)
    const response = await Promise.race([sending, sleep(effect.afterMs, request.signal)])
    if (response !== undefined) return response
    injected = effect
    throw new ConnectionReset('A fault aborted the request.')
  }

  return {
    /** Returns the fault that affected the request. */
    injected: () => injected,
    send: async (request: Request): Promise<Response> => {
      const effect = faults.selectEffect('apps', operation)
      if (effect?.type === 'hang_up') return hangUp(request, effect)
      injected = effect ?? null
      const status = await applyEffect(effect, { faults, sleep }, request.signal)
      if (status !== undefined) return new Response(null, status)
      return send(request)
    },
  }
}
