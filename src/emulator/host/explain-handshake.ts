import { describeEffect } from '../faults/describe-effect.ts'
import type { FaultEffect } from '../faults/rules.ts'
import type { HandshakeExplanation } from '../protocol/exchanges.ts'
import type { HandshakeFailureReason } from '../../service/validate-handshake.ts'

/** The facts about a failed handshake. Texts from the endpoint are redacted. */
export interface FailedHandshake {
  readonly reason: HandshakeFailureReason
  /** The problem of the response, as a sentence fragment. */
  readonly message: string
  readonly url: string
  readonly headerNames: readonly string[]
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The beginning of the body; empty if there is none. */
  readonly body: string
  readonly timeoutMs: number
  readonly injected: FaultEffect | null
}

type Explain = (handshake: FailedHandshake) => Omit<HandshakeExplanation, 'saw'>

/** Explains to a developer why a handshake failed, and what to change. */
export function explainHandshake(handshake: FailedHandshake): HandshakeExplanation {
  const { injected, url, headerNames, status, headers, message } = handshake
  const sent = `The service sent GET ${withoutQuery(url)} with request_type=verify, a code, and ${describeHeaders(headerNames)}.`
  if (injected !== null) {
    return {
      title: 'The emulator injected a fault',
      saw: `${sent} Fault injected by the emulator: ${describeEffect(injected)}. The endpoint is not the cause.`,
      changes: ['Remove the fault on the Faults tab, and choose Retry Connection.'],
    }
  }
  const type = headers['content-type']
  const received =
    status === undefined
      ? 'It received no complete response.'
      : `It received status ${status}${type === undefined ? '' : ` with Content-Type ${type}`}.`
  const problem = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
  return { saw: `${sent} ${received} ${problem}`, ...EXPLANATIONS[handshake.reason](handshake) }
}

const ANSWER = 'Return the code as {"code": "<the code>"} with Content-Type application/json.'
const JSON_LIBRARY = 'Write the response with a JSON library instead of joining strings.'
const LOGS = 'Look at the output of the endpoint for an error at the time of the request.'

const EXPLANATIONS: Readonly<Record<HandshakeFailureReason, Explain>> = {
  unreachable: ({ url }) => ({
    title: 'No response: nothing listens at this URL',
    changes: [
      'Start the endpoint.',
      `Compare the host and the port it prints with ${new URL(url).host}.`,
      'Let it listen on 127.0.0.1 or on all interfaces.',
    ],
  }),
  tls: () => ({
    title: 'No secure connection',
    changes: [
      'Use http:// if the endpoint on your machine has no certificate.',
      'Renew the certificate, send the full chain, and check that it covers the host name.',
    ],
  }),
  timeout: ({ timeoutMs }) => ({
    title: `No complete response within ${timeoutMs} ms`,
    changes: [
      'Return the code before any slow work: the handshake needs no data source.',
      'Check that the handler returns a response in every branch.',
    ],
  }),
  reset: () => ({
    title: 'The connection was closed without a response',
    changes: [
      LOGS,
      'Check that the URL has the right scheme: http:// and https:// need different servers.',
    ],
  }),
  malformed: () => ({
    title: 'The response is not HTTP',
    changes: ['Check the port: another program may listen there.', LOGS],
  }),
  cut_off: () => ({
    title: 'The response is incomplete',
    changes: ['Let the server compute Content-Length in bytes.', LOGS],
  }),
  undecodable: () => ({
    title: 'The response cannot be decompressed',
    changes: ['Remove the Content-Encoding header, or set the encoding that is actually used.'],
  }),
  too_large: () => ({
    title: 'The response is too large',
    changes: [ANSWER, 'Check that the URL is that of the endpoint, and not of a download.'],
  }),
  threw: () => ({ title: 'The endpoint threw an error', changes: [LOGS] }),
  redirect: ({ headers, url }) => ({
    title: 'The endpoint redirects',
    changes: [
      `Use the final URL${describeTarget(headers['location'], url)}: the service does not follow redirects.`,
      'If the target is a login page, exempt the endpoint from the login and protect it with a secret header.',
    ],
  }),
  status: ({ status, headerNames, body }) => explainStatus(status ?? 0, headerNames, body),
  content_type: ({ headers, body }) =>
    /html/i.test(headers['content-type'] ?? '') || /^\s*</.test(body)
      ? {
          title: 'The response is an HTML page',
          changes: [
            'Check the path of the URL: the page may be a home page, a login or an error page of a proxy.',
            ANSWER,
          ],
        }
      : {
          title: 'The Content-Type is wrong',
          changes: [ANSWER, 'Or return the bare code with Content-Type text/plain.'],
        },
  byte_order_mark: () => ({
    title: 'The response starts with a byte order mark',
    changes: ['Write the body as UTF-8 without a byte order mark.'],
  }),
  not_utf8: () => ({
    title: 'The response is not UTF-8',
    changes: ['Write the body as UTF-8.'],
  }),
  json_as_text: () => ({
    title: 'JSON was sent as text/plain',
    changes: ['Set Content-Type to application/json.'],
  }),
  text_as_json: () => ({
    title: 'The bare code was sent as application/json',
    changes: [
      'Return {"code": "<the code>"} instead of the bare code.',
      'Or set Content-Type to text/plain.',
    ],
  }),
  not_json: () => ({ title: 'The response is not JSON', changes: [ANSWER, JSON_LIBRARY] }),
  not_an_object: () => ({ title: 'The JSON is not an object', changes: [ANSWER] }),
  code_missing: () => ({
    title: 'The JSON has no field code',
    changes: [
      ANSWER,
      'Check that requests with request_type=verify get the handshake, not the payload.',
    ],
  }),
  code_not_a_string: () => ({
    title: 'The code is not a string',
    changes: ['Return the code as a string: a number loses leading zeros and precision.'],
  }),
  extra_fields: () => ({
    title: 'The JSON has more fields than code',
    changes: ['Remove all other fields.'],
  }),
  white_space: () => ({
    title: 'Whitespace surrounds the code',
    changes: ['Write the code without a trailing newline: print and echo append one.'],
  }),
  quotes: () => ({
    title: 'Quotation marks surround the code',
    changes: ['Write the bare code, without JSON encoding, or return {"code": "<the code>"}.'],
  }),
  code_differs: () => ({
    title: 'The response contains another code',
    changes: [
      'Return the query parameter code of this request, decoded once and otherwise unchanged.',
      'Do not cache the handshake, in the endpoint or in a proxy: every handshake has its own code.',
    ],
  }),
}

function explainStatus(
  status: number,
  headerNames: readonly string[],
  body: string,
): Omit<HandshakeExplanation, 'saw'> {
  if (status === 401 || status === 403) {
    return {
      title: `The endpoint rejected the request (${status})`,
      changes: [
        headerNames.length === 0
          ? 'Add the header that the endpoint requires to the app, with its secret.'
          : `Check the name and the value of ${headerNames.join(', ')}: they must match what the endpoint expects.`,
        'Check that the endpoint has its secret: without one, it rejects every request.',
      ],
    }
  }
  if (status === 404 || status === 405) {
    return {
      title: `The endpoint is not at this URL (${status})`,
      changes: [
        'Check the path of the URL, and whether the server requires or forbids a trailing slash.',
        'Check that the endpoint accepts GET requests.',
      ],
    }
  }
  if (status >= 500) return { title: `The endpoint returned an error (${status})`, changes: [LOGS] }
  const isParameter = status === 400 && /request_type|code/.test(body)
  return {
    title: `The status is ${status} instead of 200`,
    changes: isParameter
      ? ['Read request_type and code from the query of the GET request.', ANSWER]
      : [ANSWER, 'Return status 200.'],
  }
}

function describeHeaders(names: readonly string[]): string {
  if (names.length === 0) return 'no custom headers'
  return `the custom header${names.length === 1 ? '' : 's'} ${names.join(', ')}`
}

function describeTarget(location: string | undefined, url: string): string {
  const target = location === undefined ? null : URL.parse(location, url)
  return target === null ? '' : `, probably ${withoutQuery(target.href)}`
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
