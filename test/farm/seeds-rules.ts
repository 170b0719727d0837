import { HEADERS } from '../fixtures/endpoints/reference.ts'
import {
  find,
  full,
  json,
  type Parts,
  type Received,
  respond,
  SECRETS,
  type Seed,
  seeds,
  show,
  text,
} from './seed.ts'

const fails = (code: string): never => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
}
const payloadOf = ({ id }: Received) => {
  const found = find(id)
  return found === undefined ? show(text('Result', 'No such customer')) : full(found)
}
const adds =
  (...components: readonly unknown[]): (() => Parts) =>
  () => ({
    data: (received) => {
      const payload = payloadOf(received)
      return json({ ...payload, components: [...payload.components, ...components] })
    },
  })
const changes =
  (change: object): (() => Parts) =>
  () => ({ data: (received) => json({ ...payloadOf(received), ...change }) })
const sendsHeader = (name: string, value: string) => () => ({
  data: (received: Received) => json(payloadOf(received), 200, { [name]: value }),
})
const after = (ms: number, found: Received) =>
  new Promise<Response>((resolve) => setTimeout(() => resolve(respond(find(found.id))), ms))

/** One defect that no other rule reports, with the options that its check needs. */
const only = (
  group: string,
  rule: string,
  table: Readonly<Record<string, () => Parts>>,
  more: Pick<Seed, 'options' | 'twin'> = {},
): readonly Seed[] => seeds(group, [rule], table).map((seed) => ({ ...seed, ...more }))

const connections = [
  ...only('HTTP and JSON', 'reachable', {
    'refuses-connections': () => ({ authorized: () => fails('ECONNREFUSED') }),
    'unknown-host': () => ({ authorized: () => fails('ENOTFOUND') }),
  }),
  ...only('HTTP and JSON', 'reachable-tls', {
    'certificate-expired': () => ({ authorized: () => fails('CERT_HAS_EXPIRED') }),
    'certificate-of-another-host': () => ({
      authorized: () => fails('ERR_TLS_CERT_ALTNAME_INVALID'),
    }),
  }),
  ...only('HTTP and JSON', 'response-http', {
    'data-always-reset': () => ({ data: () => fails('ECONNRESET') }),
    'handshake-always-malformed': () => ({ verify: () => fails('HPE_INVALID_CONSTANT') }),
  }),
  ...only('HTTP and JSON', 'response-rate-limit', {
    'data-always-429': () => ({ data: () => json({ error: 'slow down' }, 429) }),
    'rate-limit-of-three': () => {
      let count = 0
      return {
        data: ({ id }) =>
          (count += 1) > 3
            ? json({ error: 'slow down' }, 503, { 'retry-after': '120' })
            : respond(find(id)),
      }
    },
  }),
  ...only(
    'HTTP and JSON',
    'response-time',
    {
      'data-never-responds': () => ({ data: () => new Promise<Response>(() => undefined) }),
      'handshake-never-responds': () => ({ verify: () => new Promise<Response>(() => undefined) }),
    },
    { options: { both: { timeoutMs: 250 } } },
  ),
  ...only('HTTP and JSON', 'latency-slow', {
    'third-data-fetch-slow': () => {
      let count = 0
      return {
        data: (received) =>
          (count += 1) === 3 ? after(2_600, received) : respond(find(received.id)),
      }
    },
  }),
  ...only(
    'HTTP and JSON',
    'latency-budget',
    { 'over-the-budget': () => ({ data: (received) => after(60, received) }) },
    { options: { both: { maxP95Ms: 50, isolationSamples: 10 } } },
  ),
  ...only(
    'HTTP and JSON',
    'security-https',
    { 'http-on-a-public-host': () => ({}) },
    {
      options: {
        defect: { target: 'http://sidebar.acme-billing.com/' },
        twin: { target: 'https://sidebar.acme-billing.com/' },
      },
    },
  ),
]

const handshakes = only('handshake', 'handshake-form', {
  'code-json-as-text': () => ({
    verify: (code) => json({ code }, 200, { 'content-type': 'text/plain' }),
  }),
  'code-text-as-json': () => ({ verify: (code) => json(code) }),
})

const data = [
  ...only('HTTP and JSON', 'data-content-type-exact', {
    'data-vendor-json': sendsHeader('content-type', 'application/vnd.api+json'),
    'data-text-json': sendsHeader('content-type', 'text/json'),
    'data-without-type': () => ({
      data(received) {
        const response = json(payloadOf(received))
        response.headers.delete('content-type')
        return response
      },
    }),
  }),
  ...only('HTTP and JSON', 'data-json', {
    'data-in-single-quotes': () => ({
      data: (received) => json(JSON.stringify(payloadOf(received)).replaceAll('"', "'")),
    }),
  }),
  ...only(
    'unknown customers',
    'security-unknown',
    {
      'unknown-without-its-text': () => ({
        data: ({ id }) => (find(id) ? respond(find(id)) : json(show(text('Result', 'Nobody')))),
      }),
    },
    { options: { both: { unknown: { shows: ['No such customer'] } } } },
  ),
  ...only('unknown customers', 'data-outcome', {
    'known-customers-not-found': sendsHeader('x-sidecard-outcome', 'not_found'),
    'known-customers-ambiguous': sendsHeader('x-sidecard-outcome', 'ambiguous'),
  }),
  ...only('HTTP and JSON', 'data-failure', {
    'reports-a-failure': sendsHeader('x-sidecard-failure', 'callback_failed'),
    'reports-a-failed-section': sendsHeader('x-sidecard-failure', 'section_failed;component=1'),
    'reports-stale-content': sendsHeader('x-sidecard-failure', 'section_timeout;component=1;stale'),
  }),
  ...only('errors and parameters', 'future-no-issue', {
    'no-issue-400': () => ({
      data: ({ id, params }) =>
        params.has('issue_id') ? respond(find(id)) : json({ error: 'issue_id?' }, 400),
    }),
  }),
  ...only('errors and parameters', 'future-no-requester', {
    'no-requester-400': () => ({
      data: ({ id, params }) =>
        params.has('requester_email') || params.size < 4
          ? respond(find(id))
          : json({ error: 'requester_email?' }, 400),
    }),
  }),
  ...only('errors and parameters', 'errors-request-type', {
    'unknown-type-200': () => ({
      other: ({ params }) =>
        params.get('request_type') === 'verify'
          ? json({ error: 'code?' }, 400)
          : json({ status: 'ok' }),
    }),
  }),
]

const payloads = [
  ...only('schema', 'payload-version-known', {
    'version-two': changes({ version: '2.0.0' }),
    'version-of-the-app': changes({ version: '1.0.1' }),
  }),
  ...only('schema', 'payload-header-title', {
    'header-empty': changes({ header: {} }),
    'header-only-icon': changes({ header: { icon_url: 'https://a.example/i.png' } }),
  }),
  ...only('schema', 'unknown-fields', {
    'field-of-the-payload': changes({ generatedAt: '2026-11-23' }),
    'field-of-a-text': adds({ type: 'text', label: 'Note', value: 'x', tooltip: 'y' }),
    'field-misspelled': adds({
      type: 'text',
      label: 'Note',
      value: 'x',
      iconUrl: 'https://a.example/',
    }),
  }),
  ...only('schema', 'divider-fields', {
    'divider-label': adds({ type: 'divider', label: 'Orders' }),
    'divider-color': adds({ type: 'divider', color: 'gray' }),
  }),
  ...only('schema', 'uri-scheme', {
    'link-of-an-app': adds({ type: 'link', label: 'Chat', url: 'slack://channel?id=C1' }),
    'button-ftp': adds({
      type: 'button',
      label: 'Files',
      button_type: 'link',
      url: 'ftp://files.example/a',
    }),
  }),
  ...only('schema', 'component-empty', {
    'card-without-components': adds({ type: 'card', header: { title: 'Orders' }, components: [] }),
    'badge-without-items': adds({ type: 'badge', label: 'Tags', items: [] }),
  }),
  ...only('schema', 'label-unique', {
    'label-twice': adds(text('Phone', '1'), text('Phone', '2')),
    'label-twice-in-card': adds({
      type: 'card',
      header: { title: 'Contact' },
      components: [text('Mail', 'a'), text('Mail', 'b')],
    }),
  }),
]

const hasSecrets = ({ request }: Received, names: ReadonlyArray<keyof typeof SECRETS>) =>
  names.every((name) => request.headers.get(name) === SECRETS[name])

const access = [
  ...only(
    'authentication',
    'auth-none',
    { 'no-secret-at-all': () => ({ authorized: () => true }) },
    { options: { defect: { headers: {}, expectAuth: 'detect' }, twin: { headers: HEADERS } } },
  ),
  ...only(
    'authentication',
    'auth-header-unread',
    { 'second-secret-unread': () => ({ authorized: (each) => hasSecrets(each, ['x-key']) }) },
    {
      options: { both: { headers: SECRETS, expectAuth: 'detect' } },
      twin: () => ({ authorized: (each) => hasSecrets(each, ['x-key', 'x-signature']) }),
    },
  ),
]

/** Seeds for the rules that no other seed needs. */
export const ruleSeeds: readonly Seed[] = [
  ...connections,
  ...handshakes,
  ...data,
  ...payloads,
  ...access,
]
