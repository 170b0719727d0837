import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'
import { ABSENT_TEXTS } from '../../service/query.ts'
import type { Result } from './assumption.ts'
import { counted, type Evidence, say } from './evidence.ts'
import { type EndpointRequest, type Traffic, valuesOf } from './traffic.ts'

const DOCUMENTED: ReadonlySet<string> = new Set(['request_type', 'code', ...FETCH_DATA_PARAMETERS])

const NO_FETCH = say`the file contains no data fetch from the service`

/** A4: each ID at most once, and an absent one as nothing or an empty text. */
export function decideParameters({ fetches }: Traffic): Result {
  if (fetches.length === 0) return { status: 'skipped', reason: NO_FETCH }
  const problems = FETCH_DATA_PARAMETERS.flatMap((name) => {
    const repeated = fetches.filter((fetch) => valuesOf(fetch, name).length > 1).length
    const texts = fetches
      .flatMap((fetch) => valuesOf(fetch, name))
      .filter((value) => ABSENT_TEXTS.has(value))
    const spellings = findSpellings(fetches, name)
    return [
      ...(repeated > 0
        ? [say`${name} was sent more than once in ${repeated} of ${fetches.length} data fetches`]
        : []),
      ...(texts.length > 0
        ? [say`${name} was sent as the text ${[...new Set(texts)]} in place of an absent ID`]
        : []),
      ...(spellings.length > 0 ? [say`${name} was sent with another spelling: ${spellings}`] : []),
    ]
  })
  const evidence = [...problems, ...describe(fetches)]
  return { status: problems.length > 0 ? 'does_not_hold' : 'holds', evidence }
}

function findSpellings(fetches: readonly EndpointRequest[], name: string): string[] {
  const fold = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')
  const names = new Set(fetches.flatMap(({ parameters }) => parameters.map(([each]) => each)))
  return [...names].filter((each) => each !== name && fold(each) === fold(name))
}

function describe(fetches: readonly EndpointRequest[]): Evidence[] {
  const total = fetches.length
  const counts = FETCH_DATA_PARAMETERS.map((name) => {
    const values = fetches.map((fetch) => valuesOf(fetch, name))
    const absent = values.filter(({ length }) => length === 0).length
    return { name, absent, empty: values.filter((each) => each.includes('')).length }
  })
  const always = counts.filter(({ absent, empty }) => absent === 0 && empty === 0)
  const sometimes = counts.filter(({ absent, empty }) => absent > 0 || empty > 0)
  const extra = findExtraNames(fetches)
  return [
    ...(always.length > 0 ? [say`always with a value: ${always.map(({ name }) => name)}`] : []),
    ...sometimes.map(
      ({ name, absent, empty }) => say`${name}: absent in ${absent} of ${total}, empty in ${empty}`,
    ),
    say`order in most of them: ${commonOrder(fetches)}`,
    ...(extra.length > 0 ? [say`not in the contract: ${extra}`] : []),
  ]
}

function commonOrder(fetches: readonly EndpointRequest[]): readonly string[] {
  const orders = fetches.map(({ parameters }) => parameters.map(([name]) => name))
  const counts = Map.groupBy(orders, String)
  const [most = []] = [...counts.values()].toSorted((left, right) => right.length - left.length)
  return most[0] ?? []
}

/** Returns the names of parameters that the contract does not have. */
function findExtraNames(requests: readonly EndpointRequest[]): readonly string[] {
  const names = new Set(requests.flatMap(({ parameters }) => parameters.map(([name]) => name)))
  return [...names].filter((name) => !DOCUMENTED.has(name))
}

const MAX_CODE_LENGTH = 512

const typesOf = (request: EndpointRequest) => valuesOf(request, 'request_type')
const codesOf = (request: EndpointRequest) =>
  request.kind === 'verify' ? valuesOf(request, 'code') : undefined

/** The forms that an app rejects with 400. */
const FORMS: readonly (readonly [
  isOdd: (request: EndpointRequest) => boolean,
  describe: (count: number) => Evidence,
])[] = [
  [
    (each) => typesOf(each).length === 0,
    (count) => say`without request_type: ${counted(count, 'request')}`,
  ],
  [
    (each) => typesOf(each).length > 1,
    (count) => say`with more than one request_type: ${counted(count, 'request')}`,
  ],
  [
    (each) => each.kind === 'other' && typesOf(each).length === 1,
    (count) => say`with an unknown request_type: ${counted(count, 'request')}`,
  ],
  [
    (each) => codesOf(each)?.every((code) => code === '') === true,
    (count) => say`without a code: ${counted(count, 'handshake')}`,
  ],
  [
    (each) => (codesOf(each)?.length ?? 0) > 1,
    (count) => say`with more than one code: ${counted(count, 'handshake')}`,
  ],
  [
    (each) => codesOf(each)?.some(({ length }) => length > MAX_CODE_LENGTH) === true,
    (count) => say`with a code of more than 512 characters: ${counted(count, 'handshake')}`,
  ],
]

/** A6: one documented `request_type`, and one code of at most 512 characters. */
export function decideRequestForm({ fetches, handshakes, others }: Traffic): Result {
  const odd = findServiceRequests([...fetches, ...handshakes], others)
  const requests = [...fetches, ...handshakes, ...odd]
  const problems = FORMS.flatMap(([isOdd, describe]): Evidence[] => {
    const count = requests.filter(isOdd).length
    return count > 0 ? [describe(count)] : []
  })
  if (problems.length > 0) return { status: 'does_not_hold', evidence: problems }
  const seen = say`with the documented form: ${counted(handshakes.length, 'handshake')} and ${counted(fetches.length, 'data fetch')}`
  return handshakes.length > 0
    ? { status: 'holds', evidence: [seen] }
    : { status: 'skipped', reason: say`the file contains no handshake from the service` }
}

/**
 * Returns the requests to the endpoint's path that have all headers of the
 * service's other requests, including the secret one. A visitor does not send it.
 */
function findServiceRequests(
  known: readonly EndpointRequest[],
  others: readonly EndpointRequest[],
): readonly EndpointRequest[] {
  const [first, ...rest] = known
  const common = (first?.headerNames ?? []).filter((name) =>
    rest.every(({ headerNames }) => headerNames.includes(name)),
  )
  if (common.length === 0) return []
  return others.filter(
    ({ isEndpointPath, headerNames }) =>
      isEndpointPath && common.every((name) => headerNames.includes(name)),
  )
}

/** Words in a name that says who looks at an issue. */
const AGENT_NAME = /agent(?![a-z])|operator|viewer|opened_by|current_user|assignee|staff|member_id/i

/** A16: no request says which agent opened the issue. */
export function decideAgent({ fetches, handshakes }: Traffic): Result {
  if (fetches.length === 0) return { status: 'skipped', reason: NO_FETCH }
  const headers = new Set(fetches.flatMap(({ headerNames }) => headerNames))
  const own = new Set(findExtraNames(handshakes))
  const extra = findExtraNames(fetches).filter((name) => !own.has(name))
  const agents = [...extra, ...headers].filter(
    (name) => name !== 'user-agent' && AGENT_NAME.test(name),
  )
  if (agents.length > 0) {
    return { status: 'does_not_hold', evidence: [say`named after an agent: ${agents}`] }
  }
  if (extra.length > 0) {
    const reason = say`only you can see whether one of these parameters identifies the agent: ${extra}`
    return { status: 'skipped', reason }
  }
  if (headers.size === 0) {
    return {
      status: 'skipped',
      reason: say`the file does not contain the headers of the data fetches`,
    }
  }
  const evidence = say`${counted(fetches.length, 'data fetch')} without a further parameter, with the headers ${[...headers]}`
  return { status: 'holds', evidence: [evidence] }
}
