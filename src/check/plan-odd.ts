import { inventCustomer } from './customers.ts'
import { createLimiter } from './limiter.ts'
import type { Plan } from './plan-contract.ts'
import type { AuthProbe, DataProbe, Evidence, HandshakeProbe, OddProbe } from './probe.ts'
import { wrongHeaders } from './wrong-headers.ts'
import type { Query } from '../desk/query.ts'
import { FETCH_DATA_PARAMETERS } from '../contract/parameters.ts'

/** The name of the header that carries the canary; an endpoint that shows it shows headers. */
const CANARY_HEADER = 'x-sidecard-check'

type OddQuery = readonly [kind: OddProbe['kind'], name: string, query: Query]

const ODD_QUERIES: readonly OddQuery[] = [
  ['no_request_type', 'request without a request_type', []],
  ['unknown_request_type', 'request of an unknown type', [['request_type', 'sidecard_check']]],
  ['no_code', 'handshake without a code', [['request_type', 'verify']]],
  [
    'empty_code',
    'handshake with an empty code',
    [
      ['request_type', 'verify'],
      ['code', ''],
    ],
  ],
  [
    'two_codes',
    'handshake with two codes',
    [
      ['request_type', 'verify'],
      ['code', 'one'],
      ['code', 'two'],
    ],
  ],
  // Cut off in the middle of a character: strict decoders throw on it.
  ['broken_encoding', 'handshake with a broken encoding', 'request_type=verify&code=%E0%A4%A'],
]

/** What the contract part of the plan showed to work. */
export interface Working {
  readonly handshake: boolean
  readonly data: boolean
  /** No answer broke the contract. */
  readonly clean: boolean
  /** Data came for customers that the endpoint cannot know. */
  readonly anyCustomer: boolean
}

/**
 * Sends the requests that the service never sends, and those that somebody
 * without the secret would. One that leaves parameters out can end a process
 * that nobody hardened yet, so an endpoint that breaks the contract anyway is
 * spared it.
 */
export async function askOddly(
  plan: Plan,
  working: Working,
): Promise<Pick<Evidence, 'parameters' | 'odd' | 'auth' | 'canary'>> {
  const run = createLimiter(plan.width)
  const { prober, settings, customer, random } = plan
  const value = `canary-${random()}`
  const marked = prober.withHeaders({ ...settings.headers, [CANARY_HEADER]: value })
  const lacking =
    Object.keys(settings.headers).length === 0 ? [] : wrongHeaders(settings.headers, random)

  const [parameters, odd, markedData, markedRaw, handshake, data] = await Promise.all([
    askParameters(plan, working, run),
    Promise.all(
      (working.clean ? ODD_QUERIES : []).map(([kind, name, query]) =>
        run(async (): Promise<OddProbe> => ({ ...(await prober.raw(name, query)), kind })),
      ),
    ),
    run(() => marked.data('data fetch with one header more', customer)),
    working.clean
      ? run(() => marked.raw('request without a request_type, with one header more', []))
      : undefined,
    Promise.all(
      (working.handshake ? lacking : []).map(({ headers, ...lack }) =>
        run(async (): Promise<AuthProbe<HandshakeProbe>> => ({
          ...lack,
          values: Object.values(headers),
          probe: await prober.withHeaders(headers).handshake(`handshake ${lack.sent}`, random()),
        })),
      ),
    ),
    Promise.all(
      (working.data ? lacking : []).map(({ headers, ...lack }) =>
        run(async (): Promise<AuthProbe<DataProbe>> => ({
          ...lack,
          values: Object.values(headers),
          probe: await prober.withHeaders(headers).data(`data fetch ${lack.sent}`, customer),
        })),
      ),
    ),
  ])
  const canary = {
    value,
    data: working.data ? markedData : undefined,
    probes: markedRaw === undefined ? [markedData] : [markedData, markedRaw],
  }
  return { parameters, odd, canary, auth: { handshake, data } }
}

async function askParameters(
  { prober, settings, customer, random }: Plan,
  working: Working,
  run: ReturnType<typeof createLimiter>,
): Promise<Evidence['parameters']> {
  if (!working.data) return {}
  const empty = Object.fromEntries(FETCH_DATA_PARAMETERS.map((name) => [name, '']))
  const stranger = inventCustomer(random, settings.ids)
  const requester_email = `o'${stranger.tokens.join('+')}&b=c%20@example.com`
  const ask = (name: string, who: typeof customer, ids: typeof customer.ids) =>
    run(() => prober.data(name, who, ids))
  const [absentIds, emptyIds, specialEmail] = await Promise.all([
    working.clean ? ask('data fetch without ids', customer, {}) : undefined,
    working.clean ? ask('data fetch with empty ids', customer, empty) : undefined,
    working.anyCustomer
      ? ask('data fetch with a special e-mail', stranger, { ...stranger.ids, requester_email })
      : undefined,
  ])
  return { absentIds, emptyIds, specialEmail }
}
