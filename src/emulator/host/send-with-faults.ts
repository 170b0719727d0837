import type { SendRequest } from '../../service/target.ts'
import { ConnectionReset } from '../faults/corrupt.ts'
import type { FaultEngine } from '../faults/engine.ts'
import type { FaultEffect } from '../faults/rules.ts'
import type { Sleep } from '../sleep.ts'

/** Options for `sendWithFaults()`. */
export interface WireOptions {
  readonly send: SendRequest
  readonly faults: FaultEngine
  readonly sleep: Sleep
  readonly operation: 'verify' | 'fetch_data'
  /** The pause before each part of the body, in milliseconds. */
  readonly readDelayMs: number
  /** Receives the fault that affected the request. */
  readonly onInjected: (effect: FaultEffect) => void
}

/** Sends requests through the active faults, and reads responses slowly if required. */
export function sendWithFaults(options: WireOptions): SendRequest {
  const { send, faults, sleep, operation, readDelayMs, onInjected } = options
  return async (request) => {
    const effect = faults.selectEffect('apps', operation)
    if (effect?.type === 'hang_up') return hangUp(request, effect, options)
    if (effect !== undefined) onInjected(effect)
    if (effect?.type === 'delay') await sleep(faults.delayMs(effect), request.signal)
    if (effect?.type === 'reset') throw new ConnectionReset('A fault closed the connection.')
    if (effect?.type === 'status') {
      const { status, retryAfterSeconds } = effect
      const headers = { 'retry-after': String(retryAfterSeconds) }
      return new Response(null, { status, ...(retryAfterSeconds !== undefined && { headers }) })
    }
    const response = await send(request)
    return readDelayMs === 0 ? response : throttleBody(response, readDelayMs, sleep)
  }
}

/** Aborts the request unless its response arrives first. */
async function hangUp(
  request: Request,
  effect: Extract<FaultEffect, { type: 'hang_up' }>,
  { send, sleep, onInjected }: WireOptions,
): Promise<Response> {
  const sending = Promise.resolve(send(request))
  // The exchange aborts the request when it ends. By then, no caller handles the rejection.
  sending.catch(() => undefined)
  const response = await Promise.race([sending, sleep(effect.afterMs, request.signal)])
  if (response !== undefined) return response
  onInjected(effect)
  throw new ConnectionReset('A fault aborted the request.')
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
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(parts), { status, statusText, headers })
}
