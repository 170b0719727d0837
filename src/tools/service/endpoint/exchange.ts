import { DEV_HEADER, SECTIONS_HEADER } from '../../../runtime/internal/headers.ts'
import {
  type SectionConditions,
  serializeConditions,
} from '../../../runtime/internal/section-conditions.ts'
import { Deadline } from '../../../runtime/internal/user-code.ts'
import { decodeBinary, decodeUtf8, readBody } from './body.ts'
import type { EndpointSettings } from './endpoint-options.ts'
import type { SendRequest } from './target.ts'
import { readTrailers } from './trailers.ts'
import {
  classifyBodyError,
  classifyConnectionError,
  transportFailure,
} from './transport-failure.ts'
import type { TransportFailure } from './transport-failure.ts'

/** An endpoint's response. */
export interface ExchangeResponse {
  readonly status: number
  /** The reason phrase, as UTF-8 if its bytes are UTF-8. */
  readonly statusText: string
  /**
   * The headers, with names in lowercase. The values of a repeated header are joined
   * with a comma. A value is decoded as UTF-8 if its bytes are UTF-8.
   */
  readonly headers: Readonly<Record<string, string>>
  /** The headers after the body, if the transport reads them. */
  readonly trailers?: Readonly<Record<string, string>>
  /** The decompressed body, at most `maxBodyBytes`. */
  readonly body: Uint8Array
  /** The body as UTF-8, including a byte order mark; `undefined` if it is not UTF-8. */
  readonly text: string | undefined
  /** True if the body exceeds `maxBodyBytes`. */
  readonly truncated: boolean
}

/** One request and its response. It contains no value of a custom header, unless the response repeats one. */
export interface Exchange {
  readonly request: {
    readonly url: string
    /** The names of the custom headers, but never their values. */
    readonly headerNames: readonly string[]
  }
  /** The start, in milliseconds on the injected clock. */
  readonly startedAt: number
  readonly durationMs: number
  /** Absent if the exchange failed before the headers arrived. */
  readonly response?: ExchangeResponse
  /** Present if the response is not complete. */
  readonly failure?: TransportFailure
}

/** Options of {@link sendAndRead}. */
export interface ExchangeOptions extends Pick<
  EndpointSettings,
  'headers' | 'timeoutMs' | 'maxBodyBytes' | 'now' | 'dev'
> {
  readonly send: SendRequest
  /** The conditions of sections, which an endpoint only accepts from developers. */
  readonly sections?: SectionConditions | undefined
}

/**
 * Sends one GET without following redirects, and reads the response within the
 * limits. It never throws. Check `failure` for errors.
 */
export async function sendAndRead(url: URL, options: ExchangeOptions): Promise<Exchange> {
  const { timeoutMs, now } = options
  const startedAt = now()
  const deadline = new Deadline(timeoutMs)
  try {
    const outcome = await readResponse(url, options, deadline)
    return {
      request: { url: url.href, headerNames: Object.keys(options.headers) },
      startedAt,
      durationMs: now() - startedAt,
      ...outcome,
    }
  } finally {
    deadline.clear()
    // Ends the connection, and informs an app in process.
    deadline.abort(undefined)
  }
}

async function readResponse(
  url: URL,
  options: ExchangeOptions,
  deadline: Deadline,
): Promise<Pick<Exchange, 'response' | 'failure'>> {
  let response: Response
  try {
    const headers = new Headers(options.headers)
    const { dev, sections } = options
    if (dev || sections !== undefined) headers.set(DEV_HEADER, '1')
    if (sections !== undefined) headers.set(SECTIONS_HEADER, serializeConditions(sections))
    const request = new Request(url, { headers, redirect: 'manual', signal: deadline.signal })
    response = await deadline.race(Promise.resolve(options.send(request)))
  } catch (error) {
    return {
      failure: deadline.error ? transportFailure('timeout') : classifyConnectionError(error),
    }
  }
  let head: Pick<ExchangeResponse, 'status' | 'statusText' | 'headers'>
  try {
    const { status, statusText, headers } = response
    const texts = Array.from(headers, ([name, value]) => [name, decodeBinary(value)] as const)
    head = { status, statusText: decodeBinary(statusText), headers: Object.fromEntries(texts) }
  } catch {
    return { failure: transportFailure('threw', 'it did not return a Response') }
  }
  try {
    const { maxBodyBytes } = options
    const { bytes, truncated } = await readBody(response, maxBodyBytes, deadline)
    const trailers = readTrailers(response)
    return {
      response: {
        ...head,
        ...(Object.keys(trailers).length > 0 && { trailers }),
        body: bytes,
        text: decodeUtf8(bytes),
        truncated,
      },
      ...(truncated && { failure: transportFailure('too_large', `over ${maxBodyBytes} bytes`) }),
    }
  } catch (error) {
    const empty = { body: new Uint8Array(), text: undefined, truncated: false }
    return {
      response: { ...head, ...empty },
      failure: deadline.error ? transportFailure('timeout') : classifyBodyError(error),
    }
  }
}
