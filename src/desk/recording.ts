import { FETCH_DATA_PARAMETERS } from '../contract/parameters.ts'
import { SidecardError } from '../errors.ts'
import type { FetchDataIds } from './query.ts'
import { isJsonObject } from './rules/payload-walk.ts'
import type { FetchTarget } from './target.ts'

/** The format of a recording; another number is another format. */
export const RECORDING_FORMAT = 1

/** A data fetch and its answer, as `sidecard record` saves them. */
export interface Recording {
  readonly recording: number
  readonly request: {
    /** The ids that were asked for; each is a stand-in. */
    readonly params: FetchDataIds
    /** The names of the custom headers that were sent; their values are never saved. */
    readonly headerNames: readonly string[]
  }
  readonly answer: {
    readonly status: number
    /** `undefined` when the answer had no `Content-Type`. */
    readonly contentType?: string | undefined
    /** The JSON of the answer, with stand-ins for what is personal. */
    readonly body: unknown
  }
}

/** Tells whether a value, such as an imported JSON file, is a recording that this version can read. */
export function isRecording(value: unknown): value is Recording {
  if (!isJsonObject(value) || value['recording'] !== RECORDING_FORMAT) return false
  const { request, answer } = value
  return (
    isJsonObject(request) &&
    isJsonObject(request['params']) &&
    Object.values(request['params']).every((id) => typeof id === 'string') &&
    Array.isArray(request['headerNames']) &&
    isJsonObject(answer) &&
    isStatus(answer['status']) &&
    'body' in answer
  )
}

/**
 * An endpoint that answers as it was recorded: the handshake, and each data
 * fetch with the recording that was asked for with the same ids, or else with
 * the first. It can be given to `desk()`, `check()` and an emulator's app.
 *
 * @throws {SidecardError} `invalid_recording` for none, or for a value that is no recording.
 *
 * @example
 * import acme from '../fixtures/acme.json' with { type: 'json' }
 * const agent = desk(replay(acme))
 *
 * @see docs/testing.md#recordings
 */
export function replay(...recordings: readonly Recording[]): FetchTarget {
  const [first] = recordings
  if (first === undefined || !recordings.every(isRecording)) {
    throw new SidecardError(
      'invalid_recording',
      'replay() takes what sidecard record has saved: import the JSON file, and record it again if it is of another version.',
    )
  }
  return {
    fetch({ url }) {
      const query = new URL(url).searchParams
      if (query.get('request_type') === 'verify') return Response.json({ code: query.get('code') })
      const asked = recordings.find(({ request }) => isSame(request.params, query)) ?? first
      const { status, contentType, body } = asked.answer
      // Bytes: a string would be given a Content-Type that the answer may not have had.
      const bytes = new TextEncoder().encode(JSON.stringify(body))
      const headers = contentType === undefined ? [] : [['content-type', contentType] as const]
      return new Response(bytes, { status, headers: Object.fromEntries(headers) })
    },
  }
}

/** What `Response` can be made with, a body included. */
function isStatus(status: unknown): boolean {
  const inRange = Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599
  return inRange && status !== 204 && status !== 205 && status !== 304
}

function isSame(params: FetchDataIds, query: URLSearchParams): boolean {
  return FETCH_DATA_PARAMETERS.every((name) => (params[name] ?? null) === query.get(name))
}
