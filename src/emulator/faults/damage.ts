import type { FaultEffect } from './rules.ts'

/** The connection is closed instead of an answer being given. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset'
  readonly code = 'ECONNRESET'
}

type JsonObject = Record<string, unknown>

/**
 * An envelope with what the effect does to it; one that has no part in the
 * effect stays as it is. `ownCursor` is the one that leads to the same page.
 */
export function damageEnvelope(
  envelope: JsonObject,
  effect: FaultEffect | undefined,
  ownCursor: string,
): JsonObject {
  if (effect?.type === 'schema_drift') return drift(envelope)
  if (effect?.type === 'bad_pagination' && Array.isArray(envelope['data'])) {
    return misPaginate(envelope, effect.kind, ownCursor)
  }
  return envelope
}

function drift(envelope: JsonObject): JsonObject {
  const { data } = envelope
  return { ...envelope, data: Array.isArray(data) ? data.map(driftObject) : driftObject(data, 0) }
}

/** Drops a field, changes the type of the next one, and adds one that nobody knows. */
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

function misPaginate(
  envelope: JsonObject,
  kind: 'repeat' | 'missing' | 'empty',
  ownCursor: string,
): JsonObject {
  if (kind === 'repeat') {
    return { ...envelope, pagination: { cursor: ownCursor, has_next_page: true } }
  }
  if (kind === 'missing') return { ...envelope, pagination: { has_next_page: true } }
  return { ...envelope, data: [] }
}

/** The answer to a request is announced whole and ends in the middle. */
export class CutOff extends ConnectionReset {
  /** The first half of the body. */
  readonly half: Uint8Array<ArrayBuffer>
  /** Of the answer; they announce the whole body. */
  readonly headers: Readonly<Record<string, string>>

  constructor(response: Response, body: string) {
    super('A fault cut the answer off.')
    const bytes = new TextEncoder().encode(body)
    this.half = bytes.subarray(0, Math.floor(bytes.length / 2))
    this.headers = {
      ...Object.fromEntries(response.headers),
      'content-length': String(bytes.length),
    }
  }
}

/** A cut-off answer as `fetch` gives it: reading it fails halfway. */
export function cutOffResponse({ half, headers }: CutOff): Response {
  let sent = false
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated'))
      else controller.enqueue(half)
      sent = true
    },
  })
  return new Response(stream, { headers })
}
