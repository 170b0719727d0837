import type { SendRequest } from '../../service/target.ts'
import type { EmulatorContext } from '../context.ts'
import { applyEffect, ConnectionReset } from '../faults/effects.ts'
import type { FaultEffect } from '../faults/rules.ts'
import type { Sleep } from '../sleep.ts'

/**
 * Sends requests through the active faults, and reads responses slowly if required.
 *
 * @param readDelayMs the pause before each part of the body
 */
export function sendWithFaults(
  { faults, sleep }: Pick<EmulatorContext, 'faults' | 'sleep'>,
  send: SendRequest,
  operation: 'verify' | 'fetch_data',
  readDelayMs: number,
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
      const response = await send(request)
      return readDelayMs === 0 ? response : throttleBody(response, readDelayMs, sleep)
    },
  }
}

/** The number of bytes that a slow reader reads at once. */
const PART_BYTES = 512

function throttleBody(response: Response, delayMs: number, sleep: Sleep): Response {
  if (response.body === null) return response
  const parts = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      for (let start = 0; start < chunk.length; start += PART_BYTES) {
        await sleep(delayMs)
        controller.enqueue(chunk.subarray(start, start + PART_BYTES))
      }
    },
  })
  return new Response(response.body.pipeThrough(parts), response)
}
