import { FETCH_DATA_PARAMETERS } from '../../../runtime/contract/parameters.ts'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import type { Exchange, ExchangeResponse } from '../endpoint/exchange.ts'
import { isJsonObject } from '../endpoint/json-object.ts'
import { mediaType } from '../endpoint/media-type.ts'
import type { FetchDataIds } from '../endpoint/query.ts'
import type { FetchTarget } from '../endpoint/target.ts'

/** The version of the recording format. */
export const RECORDING_FORMAT = 1

/** A data fetch and its response, as saved by `sidecard record`. */
export interface Recording {
  readonly recording: number
  readonly request: {
    /** The IDs of the request, replaced by placeholders. */
    readonly params: FetchDataIds
    /** The names of the custom headers. Their values are never saved. */
    readonly headerNames: readonly string[]
  }
  readonly response: {
    readonly status: number
    /** `undefined` if the response had no `Content-Type`. */
    readonly contentType?: string | undefined
    /** The JSON of the response. Personal data is replaced by placeholders. */
    readonly body: unknown
  }
}

/** Creates a recording from the anonymized parts of a data fetch. */
export function createRecording(
  params: FetchDataIds,
  request: Exchange['request'],
  { status, headers }: Pick<ExchangeResponse, 'status' | 'headers'>,
  body: unknown,
): Recording {
  const contentType = mediaType(headers['content-type'])
  return {
    recording: RECORDING_FORMAT,
    request: { params, headerNames: request.headerNames },
    response: { status, ...(contentType !== undefined && { contentType }), body },
  }
}

/**
 * Returns whether a value, such as an imported JSON file, is a recording in the current format.
 *
 * @example
 * const file: unknown = JSON.parse(await readFile('acme.json', 'utf8'))
 * if (isRecording(file)) await createTestService(replay(file)).openIssue()
 */
export function isRecording(value: unknown): value is Recording {
  if (!isJsonObject(value) || value['recording'] !== RECORDING_FORMAT) return false
  const { request, response } = value
  return (
    isJsonObject(request) &&
    isJsonObject(request['params']) &&
    Object.values(request['params']).every((id) => typeof id === 'string') &&
    Array.isArray(request['headerNames']) &&
    isJsonObject(response) &&
    isStatus(response['status']) &&
    'body' in response
  )
}

/**
 * Creates an endpoint that replays recordings. It performs the handshake and
 * responds to a data fetch with the recording that has the same IDs, or with the
 * first one if there is none. Pass it to `createTestService()`, `check()`, or an
 * emulator's app.
 *
 * @throws {SidecardError} `invalid_recording` without arguments, or for a value that is not a recording.
 *
 * @example
 * import acme from '../fixtures/acme.json' with { type: 'json' }
 * const service = createTestService(replay(acme))
 *
 * @see docs/testing.md#recordings
 */
export function replay(...recordings: readonly Recording[]): FetchTarget {
  const [first] = recordings
  if (first === undefined || !recordings.every(isRecording)) {
    throw new SidecardError(
      'invalid_recording',
      'replay() expects recordings made by sidecard record. Import the JSON file, and record it again if its format version differs.',
    )
  }
  return {
    fetch({ url }) {
      const query = new URL(url).searchParams
      if (query.get('request_type') === 'verify') return Response.json({ code: query.get('code') })
      const recording =
        recordings.find(({ request }) => matchesParams(request.params, query)) ?? first
      const { status, contentType, body } = recording.response
      // The body is sent as bytes, because a string would add a Content-Type that the recorded
      // response may not have had.
      const bytes = new TextEncoder().encode(JSON.stringify(body))
      const headers = contentType === undefined ? [] : [['content-type', contentType] as const]
      return new Response(bytes, { status, headers: Object.fromEntries(headers) })
    },
  }
}

/** Returns whether a `Response` with a body can have the status. */
function isStatus(status: unknown): boolean {
  const inRange = Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599
  return inRange && status !== 204 && status !== 205 && status !== 304
}

function matchesParams(params: FetchDataIds, query: URLSearchParams): boolean {
  return FETCH_DATA_PARAMETERS.every((name) => (params[name] ?? null) === query.get(name))
}
