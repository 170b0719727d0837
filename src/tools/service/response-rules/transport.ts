import type { TransportFailureKind } from '../endpoint/transport-failure.ts'
import { harm, inGroup, must, type RuleInfo } from '../response-rule.ts'

/** A rule about one response, violated for any of its reasons. */
export interface ResponseRule<Reason extends string> extends RuleInfo {
  readonly reasons: readonly Reason[]
}

/** The reasons why a request of either kind may have no usable response. */
export type TransportReason = TransportFailureKind | 'redirect'

const GET = 'Both requests are `GET` requests to that URL, and the endpoint responds to them.'

/** The rules about the connection and the HTTP response itself. @see docs/checks/reachability.md */
export const transportRules = [
  ...inGroup<ResponseRule<TransportReason>>('reachability', [
    {
      id: 'reachable',
      reasons: ['unreachable'],
      title: 'The endpoint is reachable',
      ...must('requests', GET),
      fix: 'Start the endpoint. Compare its host and port with the URL. Behind a proxy, set HTTPS_PROXY or HTTP_PROXY.',
      why: 'The connection failed: the host name does not resolve, nothing accepts connections on the port, or a firewall or a missing proxy is in the way. A server that listens on localhost may accept IPv6 only.',
    },
    {
      id: 'reachable-tls',
      reasons: ['tls'],
      title: 'The TLS certificate is valid',
      ...must('requests', GET),
      fix: 'Renew the certificate, send the full chain, and check that it covers the host name. On your own machine, use http:// if the endpoint has no certificate.',
      why: 'Browsers often fill in a missing intermediate certificate. Server-side HTTP clients do not.',
    },
    {
      id: 'response-http',
      reasons: ['reset', 'malformed', 'threw'],
      title: 'Requests get an HTTP response',
      ...must('requests', GET),
      fix: 'Look for a crash in the endpoint’s log, a proxy that closes the connection, or headers over 16 KiB.',
      why: 'The connection was closed before a response, or the response is not valid HTTP. Common causes are a handler that throws outside its error handling, another program on the port, headers over 16 KiB, and http:// for a server that requires https://.',
    },
    {
      id: 'response-whole',
      reasons: ['cut_off', 'undecodable'],
      title: 'Responses are complete',
      ...must('requests', 'The body is the code, or a JSON object.'),
      fix: 'Let the server compute Content-Length in bytes, and remove a Content-Encoding that is not used.',
      why: 'The body is shorter than its Content-Length, a chunked body has no end, or the body is not encoded as declared. A common cause is counting characters instead of bytes, which breaks on the first accent or emoji.',
    },
    {
      id: 'response-size',
      reasons: ['too_large'],
      assumption: 'A8',
      title: 'Responses are at most 1 MiB',
      ...harm('requests', 'Maximum sizes are not specified.'),
      fix: 'Return only what an agent needs, and link to the rest. Check that the URL is that of the endpoint.',
      why: 'The checker reads at most 1 MiB of the decompressed body and cannot validate the rest.',
    },
    {
      id: 'response-redirect',
      reasons: ['redirect'],
      title: 'Responses are not redirects',
      ...must(
        'requests',
        'Both requests are `GET` requests to that URL. The response to the handshake must be HTTP 200.',
      ),
      fix: 'Configure the final URL: with https, and with or without a trailing slash as the server expects.',
      why: 'Typical redirects go to https, to a trailing slash or to a login page. The service does not follow redirects: following one would send the custom headers, including the secret, to another URL.',
    },
  ]),
  ...inGroup<ResponseRule<TransportReason>>('latency', [
    {
      id: 'response-time',
      reasons: ['timeout'],
      assumption: 'A7',
      title: 'Responses complete within the timeout',
      ...harm(
        'connection',
        'When the handshake does not succeed, the custom app status is Unverified. How long the service waits is not specified.',
      ),
      fix: 'Respond in every branch of the handler. Set a timeout on every call that it makes, and respond with the data available by then.',
      why: 'An endpoint that never completes its response shows the agent nothing. The timeout covers headers and body together. The handshake needs no data source, so it should never wait for one.',
    },
  ]),
]
