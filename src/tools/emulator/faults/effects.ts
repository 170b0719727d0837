import type { Sleep } from './sleep.ts'
import type { FaultEngine } from './engine.ts'
import type { FaultEffect } from './rules.ts'

/** The error of a connection that was closed without a response. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset'
  readonly code = 'ECONNRESET'
}

/**
 * Applies an effect before a request is handled: waits, closes the connection, or
 * returns the status and the headers of the response.
 *
 * @throws {ConnectionReset}
 */
export async function applyEffect(
  effect: FaultEffect | undefined,
  { faults, sleep }: { readonly faults: FaultEngine; readonly sleep: Sleep },
  signal: AbortSignal,
): Promise<{ status: number; headers: Record<string, string> } | undefined> {
  if (effect?.type === 'delay') await sleep(faults.delayMs(effect), signal)
  if (effect?.type === 'reset') throw new ConnectionReset('A fault closed the connection.')
  if (effect?.type !== 'status') return undefined
  const { status, retryAfterSeconds: seconds } = effect
  return { status, headers: seconds === undefined ? {} : { 'retry-after': String(seconds) } }
}

type JsonObject = Record<string, unknown>

/**
 * Applies a schema drift or bad pagination to an envelope. Other effects do not
 * change it. `ownCursor` is the cursor of the same page.
 */
export function corruptEnvelope(
  envelope: JsonObject,
  effect: FaultEffect | undefined,
  ownCursor: string,
): JsonObject {
  if (effect?.type === 'schema_drift') return drift(envelope)
  if (effect?.type === 'bad_pagination' && Array.isArray(envelope['data'])) {
    return { ...envelope, ...BROKEN_PAGES[effect.kind](ownCursor) }
  }
  return envelope
}

function drift(envelope: JsonObject): JsonObject {
  const { data } = envelope
  return { ...envelope, data: Array.isArray(data) ? data.map(driftObject) : driftObject(data, 0) }
}

/** Removes a field, changes the type of the next one, and adds an unknown one. */
function driftObject(value: unknown, index: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).filter((name) => name !== 'id')
  const dropped = names[index % names.length]
  const changed = names[(index + 1) % names.length]
  const drifted: JsonObject = { ...value, added_by_drift: true }
  if (dropped !== undefined) delete drifted[dropped]
  if (changed !== undefined && changed !== dropped) {
    drifted[changed] = typeof drifted[changed] === 'string' ? 42 : String(drifted[changed])
  }
  return drifted
}

const BROKEN_PAGES = {
  repeat: (cursor: string) => ({ pagination: { cursor, has_next_page: true } }),
  missing: () => ({ pagination: { has_next_page: true } }),
  empty: () => ({ data: [] }),
}

/** The error of a response that declares its full length and ends in the middle. */
export class TruncatedResponse extends ConnectionReset {
  /** The first half of the body. */
  readonly partialBody: Uint8Array<ArrayBuffer>
  /** The headers, with the length of the full body. */
  readonly headers: Readonly<Record<string, string>>

  constructor(response: Response, body: string) {
    super('A fault truncated the response.')
    const bytes = new TextEncoder().encode(body)
    this.partialBody = bytes.subarray(0, Math.floor(bytes.length / 2))
    const length = String(bytes.length)
    this.headers = { ...Object.fromEntries(response.headers), 'content-length': length }
  }
}

/**
 * Converts a truncated response to the `Response` that `fetch` would return.
 * Reading its body fails halfway.
 */
export function toTruncatedFetchResponse({ partialBody, headers }: TruncatedResponse): Response {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(partialBody),
    pull: (controller) => controller.error(new TypeError('terminated')),
  })
  return new Response(stream, { headers })
}

/** Returns why a request failed because of an injected fault, and what to do. */
export function explainFault(effect: FaultEffect) {
  return {
    message: `Fault injected by the emulator: ${describeEffect(effect)}.`,
    fix: 'Remove the fault with emulator.faults.clear(), and try again.',
  }
}

/** Describes an effect in a few words, such as "return 503". */
function describeEffect(effect: FaultEffect): string {
  if (effect.type === 'delay') {
    const { delayMs, jitterMs = 0 } = effect
    return `delay by ${delayMs}${jitterMs === 0 ? '' : ` to ${delayMs + jitterMs}`} ms`
  }
  if (effect.type === 'status') return `return ${effect.status}`
  if (effect.type === 'hang_up') return `abort after ${effect.afterMs} ms`
  // The other effects only apply to the API, which does not describe them in its responses.
  return effect.type === 'reset' ? 'close the connection' : effect.type
}
