import type { CardItem } from '../builders/children.ts'
import { FETCH_DATA_PARAMETERS, type FetchDataParams } from '../contract/parameters.ts'
import type { Card } from '../contract/payload.ts'
import { closestMatch } from '../internal/closest-match.ts'
import { isInstance } from '../internal/hostile-values.ts'
import { type ContextInternals, INTERNALS } from './context.ts'
import { DesignedCardError } from './designed-card.ts'
import { emailDomain, normalizeDomain, normalizeEmail } from './email-domain.ts'
import { IdentityError } from './errors.ts'
import {
  createAmbiguousError,
  createNotFoundError,
  createReplacementError,
  describeCandidates,
  invalidOptions,
} from './identify-cards.ts'
import type {
  ById,
  Identified,
  IdentifyOptions,
  KeysOf,
  Lookup,
  LookupKey,
  Lookups,
  MatchOf,
} from './identify-types.ts'
import { isPublicEmailDomain } from './public-email-domains.ts'
import { type Check, isFunction, isListOf, validateOptions } from './validate-options.ts'

/** The part of the context of `fetchData` that `identify()` needs. */
export interface IdentifyContext {
  readonly params: FetchDataParams
  readonly signal: AbortSignal
}

/**
 * Finds the customer of an issue: runs the lookups in the order in which they
 * are written, skips those whose ID is absent, and stops at the first match.
 *
 * If none matches, if several do, or if a lookup fails, `fetchData` or the
 * section ends with a card for the agent. It never guesses: a failed lookup does
 * not fall through to a weaker one. Emails are trimmed and in lowercase.
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
  lookups: ById<L>,
  options: IdentifyOptions<L> = {},
): Promise<Identified<NoInfer<L>>> {
  validateOptions('identify', options, OPTIONS)
  const internals = (ctx as { readonly [INTERNALS]?: ContextInternals })[INTERNALS]
  const signal = options.signal ?? ctx.signal
  const readId = createIdReader(ctx.params, options.publicEmailDomains)
  const unmatched: Array<KeysOf<L>> = []
  const missing: Array<KeysOf<L>> = []
  for (const key of listKeys<L>(lookups)) {
    const id = readId(key)
    if (id === undefined) {
      missing.push(key)
      continue
    }
    const run = async () => {
      const found: unknown = await (lookups as Record<LookupKey, Lookup>)[key](id)
      return Array.isArray(found) ? Promise.all(found) : found
    }
    const found = await runLookup(key, run, signal, internals, options)
    if (found.length > 1) throw await ambiguous(key, found, options)
    if (found.length === 1) {
      internals?.recordMatch({ via: key, unmatched })
      return { value: found[0], via: key, unmatched } as never
    }
    unmatched.push(key)
  }
  if (options.notFound === undefined) throw createNotFoundError(unmatched, missing)
  const replacement = await options.notFound({ tried: unmatched })
  throw createReplacementError('not_found', replacement)
}

async function ambiguous<L>(
  via: KeysOf<L>,
  found: readonly unknown[],
  { describe, ambiguous }: IdentifyOptions<L>,
): Promise<DesignedCardError> {
  const candidates = found as ReadonlyArray<MatchOf<L[KeysOf<L>]>>
  if (ambiguous !== undefined) {
    return createReplacementError('ambiguous', await ambiguous({ via, candidates }))
  }
  return createAmbiguousError(via, found.length, describeCandidates(candidates, describe))
}

async function runLookup<L>(
  via: KeysOf<L>,
  run: () => Promise<unknown>,
  signal: AbortSignal,
  internals: ContextInternals | undefined,
  { failed }: IdentifyOptions<L>,
): Promise<readonly unknown[]> {
  try {
    signal.throwIfAborted()
    const work = internals ? internals.span('identify', { 'sidecard.via': via }, run) : run()
    const found = await raceAbort(work, signal)
    const matches: readonly unknown[] = Array.isArray(found) ? found : [found]
    return matches.filter((match) => match !== null && match !== undefined)
  } catch (error) {
    // A lookup may itself end with a card, for example by ctx.require().
    if (isInstance(error, DesignedCardError) || isInstance(error, IdentityError)) throw error
    throw new IdentityError(error, await replaceFailure(via, error, failed))
  }
}

/**
 * If the option fails as well, the failure card is shown, and the error of the
 * lookup is reported.
 */
async function replaceFailure<L>(
  via: KeysOf<L>,
  error: unknown,
  failed: IdentifyOptions<L>['failed'],
): Promise<ReadonlyArray<Card | CardItem> | undefined> {
  try {
    const replacement = await failed?.({ via, error })
    return replacement && [replacement].flat()
  } catch {
    return undefined
  }
}

/** Waits for a lookup until the timeout. After it, no further lookup may run. */
function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

const OPTIONS = {
  describe: [isFunction, 'a function'],
  notFound: [isFunction, 'a function'],
  ambiguous: [isFunction, 'a function'],
  failed: [isFunction, 'a function'],
  publicEmailDomains: [isListOf((name) => typeof name === 'string'), 'an array of domains'],
  signal: [(value) => value instanceof AbortSignal, 'an AbortSignal'],
} satisfies Record<keyof IdentifyOptions<unknown>, Check>

function listKeys<L>(lookups: object | null | undefined): Array<KeysOf<L>> {
  const keys: readonly LookupKey[] = [...FETCH_DATA_PARAMETERS, 'email_domain']
  const present = Object.keys(lookups ?? {}).filter((key): key is KeysOf<L> & string => {
    const lookup = (lookups as Readonly<Record<string, unknown>>)[key]
    const known = keys.find((name) => name === key)
    if (known === undefined) {
      const near = closestMatch(key, keys)
      const fix = near === undefined ? `Use one of ${keys.join(', ')}.` : `Did you mean ${near}?`
      throw invalidOptions(`a lookup has an unknown key. ${fix}`)
    }
    if (lookup === undefined) return false
    if (typeof lookup === 'function') return true
    throw invalidOptions(`${known} must be a function of the ID.`)
  })
  if (present.length > 0) return present
  throw invalidOptions('there is no lookup. Pass one, such as { account_id: (id) => … }.')
}

function createIdReader(
  params: FetchDataParams,
  publicEmailDomains: readonly string[] = [],
): (key: LookupKey) => string | undefined {
  const email = normalizeEmail(params.requester_email)
  return (key) => {
    if (key === 'requester_email') return email
    if (key !== 'email_domain') {
      const id = params[key]
      return id === undefined || id.trim() === '' ? undefined : id
    }
    const domain = email === undefined ? undefined : emailDomain(email)
    const more = publicEmailDomains.map((name) => normalizeDomain(name.replace(/^@/, '')) ?? '')
    return domain === undefined || isPublicEmailDomain(domain, more) ? undefined : domain
  }
}
