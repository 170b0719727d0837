import type { Send } from '../../desk/target.ts'
import { ConnectionReset } from '../faults/damage.ts'
import type { FaultEngine } from '../faults/engine.ts'
import type { Pause } from '../pause.ts'

/** What stands between the emulator and an app. */
export interface WireOptions {
  readonly send: Send
  readonly faults: FaultEngine
  readonly pause: Pause
  readonly operation: 'verify' | 'fetch_data'
  /** Wait before each part of the body, in milliseconds. */
  readonly readDelayMs: number
}

/** Sends requests to an app through the faults that are on, and reads slowly when asked to. */
export function faultyWire({ send, faults, pause, operation, readDelayMs }: WireOptions): Send {
  return async (request) => {
    const effect = faults.decide('apps', operation)
    if (effect?.type === 'delay') await pause(faults.delayOf(effect), request.signal)
    if (effect?.type === 'reset') throw new ConnectionReset('A fault closed the connection.')
    if (effect?.type === 'status') return new Response(null, { status: effect.status })
    if (effect?.type === 'hang_up') {
      const { afterMs } = effect
      await Promise.race([send(request), pause(afterMs, request.signal)])
      throw new ConnectionReset('A fault made the service hang up.')
    }
    const response = await send(request)
    return readDelayMs === 0 ? response : slowly(response, readDelayMs, pause)
  }
}

/** How many bytes a slow reader takes at a time. */
const PART_BYTES = 512

function slowly(response: Response, delayMs: number, pause: Pause): Response {
  if (response.body === null) return response
  const parts = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      for (let start = 0; start < chunk.length; start += PART_BYTES) {
        await pause(delayMs)
        controller.enqueue(chunk.subarray(start, start + PART_BYTES))
      }
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(parts), { status, statusText, headers })
}
