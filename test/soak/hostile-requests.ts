import { secretHeader, sidecard, text } from '../../src/index.ts'
import { createFailureList, createSeededInteger, type Soak } from './soak.ts'

const SECRET = 'canary-secret-7f3a'

/** Fragments that have broken query parsers. */
const URL_FRAGMENTS = [
  'request_type',
  'code',
  'verify',
  'fetch_data',
  'account_id',
  'requester_email',
  '__proto__',
  'constructor',
  'toString',
  'Request_Type',
  'request_type[]',
  '=',
  '==',
  '&',
  '&&',
  ';',
  '#',
  '?',
  '+',
  '%',
  '%2',
  '%zz',
  '%00',
  '%0d%0a',
  '%20',
  '%26',
  '%3D',
  '%C3%28',
  '%ED%A0%80',
  '%F0%9F%94%91',
  '%EF%BB%BF',
  '鯉',
  '🦊',
  '\u202E',
  "'",
  '"',
  '<script>',
  '{{',
  '${x}',
  '../',
  '\\',
  '//',
  'a'.repeat(600),
]
const OTHER_METHODS = ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']
const STATUSES = new Set([200, 400, 401, 404, 405])

/**
 * Malformed requests, in process. Each must get a response of the framework that
 * is not a server error.
 */
export const hostileRequestsSoak: Soak = async ({ count, seed }) => {
  const next = createSeededInteger(seed)
  const found = createFailureList()
  const statuses: Record<string, number> = {}
  const app = sidecard<{ Bindings: { SECRET: string } }>({
    header: { title: 'Soak' },
    auth: secretHeader('x-key', (env) => env.SECRET),
    logger: false,
    fetchData: (ctx) => [text({ label: 'Account', value: ctx.params.account_id ?? 'none' })],
  })
  const query = () =>
    Array.from({ length: next(12) }, () => URL_FRAGMENTS[next(URL_FRAGMENTS.length)] ?? '').join('')
  for (let done = 0; done < count; done += 1) {
    const lead = next(3) === 0 ? `request_type=${next(2) === 0 ? 'verify' : 'fetch_data'}&` : ''
    const path = next(20) === 0 ? `/${query()}` : '/'
    const url = `http://localhost${path.replaceAll(/[?#]/g, '')}?${lead}${query()}`
    const method = next(5) > 0 ? 'GET' : (OTHER_METHODS[next(OTHER_METHODS.length)] ?? 'GET')
    const headers: Record<string, string> = next(4) === 0 ? {} : { 'x-key': SECRET }
    if (next(10) === 0) headers['x-key'] = SECRET.slice(0, next(SECRET.length))
    // oxlint-disable-next-line no-await-in-loop -- one request after another
    const response = await app.request(url, { method, headers }, { SECRET })
    // oxlint-disable-next-line no-await-in-loop -- one request after another
    const body = await response.text()
    statuses[response.status] = (statuses[response.status] ?? 0) + 1
    const violation = findViolation(response, body)
    if (violation !== undefined) found.add(`${violation}: ${method} ${url}`)
  }
  return {
    figures: { requests: count, ...statuses, failures: found.count },
    failures: found.failures,
  }
}

function findViolation(response: Response, body: string): string | undefined {
  const { status, headers } = response
  if (!STATUSES.has(status)) return `status ${status}`
  if (headers.has('x-sidecard-failure')) return 'an unexpected failure'
  if (headers.get('x-content-type-options') !== 'nosniff') return 'no nosniff'
  if (headers.get('cache-control') !== 'no-store') return 'no no-store'
  if (headers.has('access-control-allow-origin')) return 'CORS'
  if (body.includes(SECRET)) return 'the secret in the response'
  const type = headers.get('content-type') ?? ''
  if (body !== '' && !/^application\/(?:problem\+)?json|^text\/plain/.test(type)) return type
  return undefined
}
