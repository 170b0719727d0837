import { HEADERS } from '../fixtures/endpoints/reference.ts'
import {
  find,
  full,
  json,
  LUMEN,
  named,
  NORTHWIND,
  type Parts,
  type Received,
  respond,
  type Seed,
  seeds,
  show,
  text,
  unknown,
} from './seed.ts'

const KEY = HEADERS['x-key']
const sent = ({ request }: Received) => request.headers.get('x-key') ?? ''
const isHandshake = ({ params }: Received) => params.get('request_type') === 'verify'

/** Ways to compare a secret wrongly. Each is a defect for handshakes, for data, and for both. */
const COMPARISONS: Readonly<Record<string, (received: Received) => boolean>> = {
  open: () => true,
  'any-value': (each) => sent(each) !== '',
  'present-header': (each) => each.request.headers.has('x-key'),
  prefix: (each) => sent(each) !== '' && KEY.startsWith(sent(each)),
  'starts-with': (each) => sent(each).startsWith(KEY),
  contains: (each) => sent(each).includes(KEY),
  'any-case': (each) => sent(each).toLowerCase() === KEY.toLowerCase(),
  'same-length': (each) => sent(each).length === KEY.length,
  'first-eight': (each) => sent(each).slice(0, 8) === KEY.slice(0, 8),
  'or-empty': (each) => sent(each) === '' || sent(each) === KEY,
  'without-last': (each) => sent(each).slice(0, KEY.length - 1) === KEY.slice(0, -1),
}
const WRONG = [
  'auth-data-missing',
  'auth-data-wrong',
  'auth-handshake-missing',
  'auth-handshake-wrong',
]

const comparisons = Object.entries(COMPARISONS).flatMap(([id, accepts]) => [
  ...seeds('authentication', WRONG, { [`${id}-for-both`]: () => ({ authorized: accepts }) }),
  ...seeds('authentication', WRONG.slice(2), {
    [`${id}-for-handshakes`]: () => ({
      authorized: (each) => (isHandshake(each) ? accepts(each) : sent(each) === KEY),
    }),
  }),
  ...seeds('authentication', WRONG.slice(0, 2), {
    [`${id}-for-data`]: () => ({
      authorized: (each) => (isHandshake(each) ? sent(each) === KEY : accepts(each)),
    }),
  }),
])

const has = (name: string) => (each: Received) => each.request.headers.has(name)
const header = (name: string, value: RegExp) => (each: Received) =>
  value.test(each.request.headers.get(name) ?? '')
const types = ({ params }: Received) => params.getAll('request_type')
const isFetch = (each: Received) => types(each).includes('fetch_data')

/** Requests for which an endpoint forgets the secret. */
export const OVERLOOKED: Readonly<Record<string, (received: Received) => boolean>> = {
  'a-health-probe': header('user-agent', /kube/),
  'a-session': has('cookie'),
  'a-bearer-token': has('authorization'),
  'a-different-method': has('x-http-method-override'),
  'a-browser': header('accept', /html/),
  'a-part-of-a-response': has('range'),
  'a-condition': has('if-none-match'),
  'a-private-address': has('x-real-ip'),
  'a-proxy-that-verified-it': has('x-key-verified'),
  'the-first-type': (each) => types(each)[0] === 'ping',
  'the-last-type': (each) => types(each).at(-1) === 'ping',
  'a-handshake-at-the-end': (each) => types(each).join() === 'fetch_data,verify',
  'a-callback': ({ params }) => params.has('callback'),
  'a-default-password': header('authorization', /^Basic/),
  'a-health-check-before-a-proxy': has('x-original-url'),
  'a-second-type': (each) => types(each).length === 2,
  'a-code': (each) => isFetch(each) && each.params.has('code'),
  'capital-letters': ({ params }) => params.get('request_type') === 'FETCH_DATA',
  'an-encoded-type': (each) => isFetch(each) && !each.request.url.includes('fetch_data'),
  debugging: ({ params }) => params.has('debug'),
  'no-app': (each) => isFetch(each) && !each.params.has('app_id'),
  'a-long-value': (each) => sent(each).length > 2_000,
  'a-default': (each) => sent(each) === 'changeme',
  'the-letters-of-the-secret': (each) =>
    Array.from(sent(each)).toSorted().join('') === Array.from(KEY).toSorted().join(''),
}
const overlooked = seeds(
  'authentication',
  WRONG.slice(0, 2),
  Object.fromEntries(
    Object.entries(OVERLOOKED).map(([id, isOpen]) => [
      `overlooked-for-${id}`,
      () => ({
        authorized: (each) => sent(each) === KEY || isOpen(each),
        other: (each) => respond(find(each.id)),
      }),
    ]),
  ),
)

const leaking =
  (reject: (received: Received) => Response): (() => Parts) =>
  () => ({ rejected: reject })
const own = ({ id }: Received) => find(id) ?? NORTHWIND
const rejections = seeds('authentication', ['auth-rejection-data', 'security-isolation'], {
  'rejection-with-payload': leaking((each) => json(full(own(each)), 401)),
  'rejection-with-names-payload': leaking((each) => json(named(own(each)), 403)),
  'rejection-with-name': leaking((each) =>
    json({ error: 'forbidden', customer: own(each).name }, 401),
  ),
  'rejection-with-name-in-sentence': leaking((each) =>
    json({ error: `You may not read ${own(each).name}.` }, 403),
  ),
  'rejection-with-name-in-capitals': leaking((each) =>
    json({ error: own(each).name.toUpperCase() }, 401),
  ),
  'rejection-with-name-as-text': leaking(
    (each) => new Response(`Login to see ${own(each).name}`, { status: 401 }),
  ),
  'rejection-with-name-in-html': leaking(
    (each) =>
      new Response(`<h1>${own(each).name}</h1>`, {
        status: 401,
        headers: { 'content-type': 'text/html' },
      }),
  ),
  'rejection-with-name-in-header': leaking((each) =>
    json({ error: 'no' }, 401, { 'x-customer': own(each).name }),
  ),
  'rejection-with-name-in-base64': leaking((each) =>
    json({ error: 'no', state: Buffer.from(own(each).name).toString('base64') }, 401),
  ),
  'rejection-with-name-in-redirect': leaking(
    (each) =>
      new Response(null, {
        status: 302,
        headers: { location: `https://a.example/login?to=${encodeURIComponent(own(each).name)}` },
      }),
  ),
  'rejection-with-other-name': leaking(() => json({ error: 'forbidden', last: LUMEN.name }, 401)),
  'rejection-with-owner': leaking((each) =>
    json({ error: 'forbidden', contact: own(each).owner }, 401),
  ),
  'rejection-with-slug': leaking((each) =>
    json({ error: 'no', tenant: own(each).name.toLowerCase().replaceAll(' ', '-') }, 401),
  ),
  'rejection-with-owner-as-slug': leaking((each) =>
    json({ error: 'no', contact: own(each).owner.toLowerCase().replaceAll(' ', '.') }, 401),
  ),
  'rejection-with-name-in-tags': leaking(
    (each) =>
      new Response(`<p>${own(each).name.replaceAll(/\w+/g, (word) => `<b>${word}</b>`)}</p>`, {
        status: 403,
        headers: { 'content-type': 'text/html' },
      }),
  ),
  'rejection-in-utf16': leaking(
    (each) =>
      new Response(Buffer.from(`Login to see ${own(each).name}`, 'utf16le'), { status: 401 }),
  ),
  'rejection-in-the-reason-phrase': leaking(
    (each) => new Response('{}', { status: 401, statusText: `Not for ${own(each).name}` }),
  ),
  'rejection-of-a-wrong-secret-only': leaking((each) =>
    json({ error: sent(each) === '' ? 'unauthorized' : `not for ${own(each).name}` }, 401),
  ),
  'rejection-payload-200': () => ({
    rejected: (each) => json(show(text('Not authorized', own(each).name))),
  }),
})

const secret = seeds('authentication', ['security-header-echo'], {
  'secret-in-rejection': () => ({
    rejected: (each) => json({ error: `wrong key ${sent(each)}` }, 401),
  }),
  'secret-in-payload': () => ({ data: (each) => json(show(text('Debug', sent(each)))) }),
  'secret-in-handshake': () => ({ verify: (code, each) => json({ code, key: sent(each) }) }),
  'secret-in-header': () => ({
    data: (each) => json(full(own(each)), 200, { 'x-seen': sent(each) }),
  }),
  'secret-in-base64': () => ({
    data: (each) => json(show(text('Debug', Buffer.from(sent(each)).toString('base64')))),
  }),
  'secret-in-url': () => ({
    data: (each) =>
      json(
        show({
          type: 'link',
          label: 'Go',
          url: `https://a.example/?k=${encodeURIComponent(sent(each))}`,
        }),
      ),
  }),
  'headers-in-bad-request': () => ({
    other: (each) => json(Object.fromEntries(each.request.headers), 400),
  }),
  'headers-in-debug-field': () => ({
    data: (each) =>
      json({ ...show(text('A', 'b')), debug: Object.fromEntries(each.request.headers) }),
  }),
})

const perConnection = () => {
  const seen = new WeakSet<object>()
  return (each: Received) => {
    if (sent(each) === KEY) seen.add(each.connection)
    return sent(each) === KEY || seen.has(each.connection)
  }
}
const connected = seeds('authentication', ['auth-data-missing', 'auth-handshake-missing'], {
  'asked-once-per-connection': () => ({ authorized: perConnection() }),
  'asked-once-per-connection-for-data': () => {
    const authorized = perConnection()
    return { authorized: (each) => (isHandshake(each) ? sent(each) === KEY : authorized(each)) }
  },
})

/** What an endpoint does for a customer that it does not know. */
const forUnknown =
  (respondTo: (received: Received) => Response | Promise<Response>): (() => Parts) =>
  () => ({
    data: (each) => (find(each.id) === undefined ? respondTo(each) : respond(find(each.id))),
  })
const page = (status: number) => () =>
  new Response('<h1>Not found</h1>', { status, headers: { 'content-type': 'text/html' } })
const broken = (): never => {
  throw new TypeError('fetch failed', {
    cause: Object.assign(new Error('ECONNRESET'), { code: 'ECONNRESET' }),
  })
}
const unknownRules = ['data-unknown', 'payload-version', 'payload-header', 'payload-components']
const outsiders = seeds('unknown customers', unknownRules, {
  'unknown-500': forUnknown(() => json({ error: 'internal' }, 500)),
  'unknown-502': forUnknown(() => json({ error: 'bad gateway' }, 502)),
  'unknown-503-html': forUnknown(page(503)),
  'unknown-html-200': forUnknown(page(200)),
  'unknown-html-404': forUnknown(page(404)),
  'unknown-null': forUnknown(() => json('null')),
  'unknown-false': forUnknown(() => json('false')),
  'unknown-array': forUnknown(() => json('[]')),
  'unknown-string': forUnknown(() => json('"not found"')),
  'unknown-empty': forUnknown(() => json('')),
  'unknown-text': forUnknown(
    () => new Response('Not found', { headers: { 'content-type': 'text/plain' } }),
  ),
  'unknown-204': forUnknown(() => new Response(null, { status: 204 })),
  'unknown-reset': forUnknown(broken),
  'unknown-redirect': forUnknown(
    () => new Response(null, { status: 302, headers: { location: 'https://a.example/404' } }),
  ),
  'unknown-401': forUnknown(() => json({ error: 'unauthorized' }, 401)),
  'unknown-empty-object': forUnknown(() => json({})),
  'unknown-no-components': forUnknown(() =>
    json({ version: '1.0.0', header: { title: 'Billing' } }),
  ),
  'unknown-broken-json': forUnknown(() => json('{"version":')),
  'unknown-404-empty': forUnknown(() => new Response(null, { status: 404 })),
  'unknown-stack': forUnknown(() =>
    json(
      {
        error:
          'TypeError: x\n    at find (/srv/app/index.js:10:5)\n    at run (/srv/app/index.js:20:7)',
      },
      500,
    ),
  ),
  'unknown-500-for-data-after-first': () => {
    let count = 0
    return {
      data: ({ id }) => {
        const found = find(id)
        if (found) return respond(found)
        return (count += 1) > 2 ? json({ error: 'x' }, 500) : json(unknown())
      },
    }
  },
})
const advised = seeds('unknown customers', unknownRules, {
  'unknown-404-json': forUnknown(() => json({ error: 'not found' }, 404)),
})

/** Mistakes with secrets, and with customers that do not exist. */
export const accessSeeds: readonly Seed[] = [
  ...comparisons,
  ...overlooked,
  ...rejections,
  ...secret,
  ...connected,
  ...outsiders,
  ...advised,
]
