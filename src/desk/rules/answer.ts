import type { RuleInfo } from './rule.ts'

/** A rule that one answer breaks for one of its reasons. */
export interface AnswerRule<Reason extends string> extends RuleInfo {
  readonly reasons: readonly Reason[]
}

/** Why an answer of either kind may be no answer at all. */
export type TransportReason =
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'threw'
  | 'malformed'
  | 'cut_off'
  | 'undecodable'
  | 'too_large'
  | 'redirect'

const GET = 'Both requests are `GET` requests to that URL, and the endpoint answers them.'

/** What can go wrong before an answer can be judged. @see docs/checks/README.md#reachability */
export const transportRules: ReadonlyArray<AnswerRule<TransportReason>> = [
  {
    id: 'reachable',
    group: 'reachability',
    level: 'MUST',
    reasons: ['unreachable'],
    title: 'Something answers at the address',
    contract: { says: GET, anchor: 'requests', basis: 'words' },
    fix: 'Start the endpoint, and look at the host name, the port and the firewall.',
    why: 'The name cannot be resolved, or nothing listens on the port. The command then exits with 3: there is nothing to check.',
  },
  {
    id: 'reachable-tls',
    group: 'reachability',
    level: 'MUST',
    reasons: ['tls'],
    title: 'The certificate is valid',
    contract: { says: GET, anchor: 'requests', basis: 'words' },
    fix: 'Renew the certificate, send its whole chain, and look at the host name it is for.',
    why: 'A browser often repairs a chain that lacks an intermediate certificate; a server that calls yours does not.',
  },
  {
    id: 'answer-http',
    group: 'reachability',
    level: 'MUST',
    reasons: ['reset', 'malformed', 'threw'],
    title: 'A request gets an HTTP answer',
    contract: { says: GET, anchor: 'requests', basis: 'words' },
    fix: 'Look for a crash or a proxy that closes the connection; the log of the endpoint says more.',
    why: 'The connection was made and then closed, or what came back is not HTTP. A handler that throws outside of its error handling looks like this.',
  },
  {
    id: 'answer-whole',
    group: 'reachability',
    level: 'MUST',
    reasons: ['cut_off', 'undecodable'],
    title: 'An answer is whole',
    contract: {
      says: 'The body is the code, or a JSON object.',
      anchor: 'requests',
      basis: 'words',
    },
    fix: 'Let the server compute Content-Length (bytes, not characters), and name the Content-Encoding that is really used.',
    why: 'A body shorter than its Content-Length, a chunked body without its end, or a body that is not compressed as its header says. Counting characters instead of bytes is the usual cause: it shows with the first accent or emoji.',
  },
  {
    id: 'answer-size',
    group: 'reachability',
    level: 'MUST',
    reasons: ['too_large'],
    assumption: 'A8',
    title: 'An answer is smaller than a megabyte',
    contract: {
      says: 'Maximum sizes are not shown. An answer that nobody reads to its end is no answer.',
      anchor: 'requests',
      basis: 'harm',
    },
    fix: 'Return what an agent needs to see, and link to the rest.',
    why: 'The checker stops reading after 1 MiB of decompressed body, so it cannot say that the rest is right. A sidebar of a megabyte helps nobody.',
  },
  {
    id: 'answer-redirect',
    group: 'reachability',
    level: 'MUST',
    reasons: ['redirect'],
    title: 'An answer is no redirect',
    contract: {
      says: 'Both requests are `GET` requests to that URL; the handshake must be answered with HTTP 200.',
      anchor: 'requests',
      basis: 'words',
    },
    fix: 'Configure the final address: with https, with or without the trailing slash, as the server wants it.',
    why: 'The usual redirects are from http to https, to a trailing slash, and to a login page. Following one would send the custom headers, and the secret in them, somewhere else.',
  },
  {
    id: 'answer-time',
    group: 'latency',
    level: 'MUST',
    reasons: ['timeout'],
    assumption: 'A7',
    title: 'A whole answer comes in time',
    contract: {
      says: 'When the handshake does not succeed, the custom app status is Unverified. How long the service waits is not shown.',
      anchor: 'connection',
      basis: 'harm',
    },
    fix: 'Give every call that the endpoint makes a deadline of its own, and answer with what there is by then.',
    why: 'An endpoint that accepts the connection and never finishes its answer gives the agent nothing. The limit is --timeout, for the headers and the whole body.',
  },
]
