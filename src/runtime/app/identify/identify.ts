import { isAbsent } from '../../builders/components/children.ts'
import { FETCH_DATA_PARAMETERS, type FetchDataParams } from '../../contract/parameters.ts'
import { isArray, isInstance, readProperty } from '../../internal/hostile-values.ts'
import {
  findUnknownName,
  func,
  hasMethods,
  invalidOption,
  kind,
  listOf,
  readOptions,
  withDefault,
} from '../../internal/read-options.ts'
import {
  callUserCode,
  consumeRejections,
  runUserCode,
  type TimeLimit,
  untilAborted,
} from '../../internal/user-code.ts'
import { DesignedCardError } from '../designed-card.ts'
import { emailDomain, isPublicEmailDomain, normalizeEmail } from './email-domain.ts'
import { IdentityError } from '../errors.ts'
import {
  createAmbiguousError,
  createNotFoundError,
  describeCandidates,
  invalidOptions,
  replaceCard,
} from './identify-cards.ts'
import type {
  LookupMap,
  Identified,
  IdentifyOptions,
  KeysOf,
  Lookup,
  LookupKey,
  Lookups,
  MatchOf,
} from './identify-types.ts'
import { RequestContext } from '../request/request-context.ts'

/** The part of the context of `fetchData` that `identify()` needs. */
export interface IdentifyContext {
  readonly params: FetchDataParams
  readonly signal: AbortSignal
}

/**
 * Finds the customer of an issue: runs the lookups in the given
 * order, skips those whose ID is absent, and stops at the first match.
 *
 * If none matches, if several do, or if a lookup fails, `fetchData` or the
 * section ends with a card for the agent. It never guesses: a failed lookup does
 * not fall through to a weaker one. Emails are trimmed and in lowercase, with
 * an internationalized domain in punycode.
 * `email_domain` is the exact host of the email, in lowercase and punycode;
 * public mail providers are skipped.
 *
 * @throws {DesignedCardError} `not_found` or `ambiguous`; do not catch it
 * @throws {IdentityError} `identity_failed`: a lookup threw, rejected or timed out
 * @throws {SidecardError} `invalid_options`: an unknown key or option, or one that is invalid
 *
 * @example
 * const { value: account, via } = await identify(ctx, {
 *   account_id: (id) => db.accountById(id),
 *   requester_email: (email) => db.accountsByEmail(email),
 * })
 *
 * @see docs/guides/identity.md
 */
export async function identify<L extends Lookups>(
  ctx: IdentifyContext,
  lookups: LookupMap<L>,
  options: IdentifyOptions<L> = {},
): Promise<Identified<NoInfer<L>>> {
  const read = readOptions('identify', options, {
    id: func,
    describe: func,
    notFound: func,
    ambiguous: func,
    failed: func,
    publicEmailDomains: withDefault(
      listOf('an array of domains', (name) => typeof name === 'string'),
      [],
    ),
    signal: withDefault(
      kind('an AbortSignal', (value) => hasMethods(value, 'throwIfAborted')),
      ctx.signal,
    ),
  })
  const request = isInstance(ctx, RequestContext) ? ctx : undefined
  const limit = untilAborted(read.signal)
  const readId = createIdReader(ctx.params, read.publicEmailDomains)
  const addCustomer = request?.expectCustomer(read.signal)
  const unmatched: Array<KeysOf<L>> = []
  const missing: Array<KeysOf<L>> = []
  for (const key of listKeys<L>(lookups)) {
    const id = readId(key)
    if (id === undefined) {
      missing.push(key)
      continue
    }
    // No customer has such an ID, and PostgreSQL would reject the query.
    if (id.includes('\0')) {
      unmatched.push(key)
      continue
    }
    const run = () => {
      // No lookup starts after the timeout.
      read.signal.throwIfAborted()
      return (lookups as Record<LookupKey, Lookup>)[key](id)
    }
    const found = await runLookup(key, run, limit, request, options)
    if (found.length > 1) throw await createAmbiguousCard(key, found, options, limit)
    if (found.length === 1) {
      if (request !== undefined) request.match ??= { via: key, unmatched }
      const value = found[0]
      if (options.id === undefined) {
        addCustomer?.([key, id])
        return { value, via: key, unmatched } as never
      }
      const own = readCustomerId(value, options.id)
      addCustomer?.(['id', own])
      return { value, via: key, unmatched, id: own } as never
    }
    unmatched.push(key)
  }
  const replaced = await replaceCard('not_found', options.notFound, { tried: unmatched }, limit)
  throw replaced ?? createNotFoundError(unmatched, missing)
}

/** Returns the ID of a customer. An invalid one is `undefined`, so that nothing is cached for it. */
function readCustomerId(value: unknown, read: (customer: never) => unknown): unknown {
  return callUserCode(
    () => read(value as never),
    (id) => {
      if (['string', 'number', 'bigint'].includes(typeof id)) return id
      consumeRejections(id)
      return undefined
    },
  )
}

async function createAmbiguousCard<L>(
  via: KeysOf<L>,
  found: readonly unknown[],
  { describe, ambiguous }: IdentifyOptions<L>,
  limit: TimeLimit,
): Promise<DesignedCardError> {
  const candidates = found as ReadonlyArray<MatchOf<L[KeysOf<L>]>>
  const replaced = await replaceCard('ambiguous', ambiguous, { via, candidates }, limit)
  if (replaced !== undefined) return replaced
  const lines = await describeCandidates(candidates, describe, limit)
  return createAmbiguousError(via, found.length, lines)
}

async function runLookup<L>(
  via: KeysOf<L>,
  run: () => unknown,
  limit: TimeLimit,
  request: RequestContext | undefined,
  { failed }: IdentifyOptions<L>,
): Promise<readonly unknown[]> {
  try {
    return request === undefined
      ? await runUserCode(run, limit, readMatches)
      : await request.run('identify', { 'sidecard.via': via }, run, limit, readMatches)
  } catch (error) {
    // A lookup may itself end with a card, for example when it calls ctx.require().
    if (isInstance(error, DesignedCardError) || isInstance(error, IdentityError)) throw error
    // If `failed` throws as well, the agent sees the failure card, and the lookup's error is
    // logged.
    const replacement = await runUserCode(() => failed?.({ via, error }), limit).catch(
      () => undefined,
    )
    throw new IdentityError(error, replacement && [replacement].flat())
  }
}

/** The maximum number of matches that are read, because a proxy can return endless ones. */
const MAX_MATCHES = 10_000

async function readMatches(found: unknown): Promise<readonly unknown[]> {
  if (!isArray(found)) return isMatch(found) ? [assertCustomer(found)] : []
  if (found.length > MAX_MATCHES) {
    throw new RangeError(`A lookup returned more than ${MAX_MATCHES} matches.`)
  }
  return (await Promise.all(found)).filter(isMatch).map(assertCustomer)
}

/** Rejects containers such as a `Map`, because even an empty one would count as a match. */
function assertCustomer(value: unknown): unknown {
  const tag = readProperty(value, Symbol.toStringTag)
  if (isArray(value) || isDriverResult(value) || CONTAINERS.includes(tag)) {
    throw new TypeError('A lookup returned a container, such as a response. Return its content.')
  }
  return value
}

/** The fields of the results of pg, PGlite, Neon and D1. Those with an underscore are internal. */
const RESULT_FIELD =
  /^(?:_.*|rows|rowCount|rowAsArray|RowCtor|command|oid|fields|affectedRows|results|success|meta|error)$/

/** Returns whether a value is the result of a driver. A customer has other fields as well. */
function isDriverResult(value: unknown): boolean {
  const isList =
    (isArray(readProperty(value, 'rows')) &&
      (readProperty(value, 'rowCount') ?? readProperty(value, 'fields')) !== undefined) ||
    (isArray(readProperty(value, 'results')) && readProperty(value, 'success') !== undefined)
  if (!isList) return false
  for (const name in value as object) if (!RESULT_FIELD.test(name)) return false
  return true
}

const CONTAINERS: readonly unknown[] = ['Response', 'Map', 'Set']

/**
 * Returns whether a value is a match. `rows.length && rows[0]`, for example,
 * returns 0 for no match.
 */
function isMatch(value: unknown): boolean {
  return !isAbsent(value) && !Number.isNaN(value)
}

const LOOKUP_KEYS: readonly LookupKey[] = [...FETCH_DATA_PARAMETERS, 'email_domain']

function listKeys<L>(lookups: object | null | undefined): Array<KeysOf<L>> {
  const unknown = findUnknownName('lookup', lookups ?? {}, LOOKUP_KEYS)
  if (unknown !== undefined) throw invalidOptions(unknown)
  const entries = Object.entries(lookups ?? {}).filter(([, lookup]) => lookup !== undefined)
  for (const [key, lookup] of entries) {
    if (!func.accepts(lookup))
      throw invalidOption('identify', key, 'a function that takes the ID', lookup)
  }
  if (entries.length > 0) return entries.map(([key]) => key as KeysOf<L>)
  throw invalidOptions('there is no lookup. Pass one, such as { account_id: (id) => … }.')
}

function createIdReader(
  params: FetchDataParams,
  publicEmailDomains: readonly string[],
): (key: LookupKey) => string | undefined {
  const { requester_email } = params
  return (key) => {
    if (key === 'requester_email') return normalizeEmail(requester_email)
    if (key !== 'email_domain') {
      const id = params[key]
      return id === undefined || id.trim() === '' ? undefined : id
    }
    // Inside a domain, an invisible character means that the text is not clearly an address.
    const domain = requester_email === undefined ? undefined : emailDomain(requester_email)
    return domain === undefined || isPublicEmailDomain(domain, publicEmailDomains)
      ? undefined
      : domain
  }
}
