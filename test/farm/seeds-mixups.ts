import {
  type Account,
  ACCOUNTS,
  byView,
  FABRIKAM,
  find,
  json,
  LEAK,
  LUMEN,
  NORTHWIND,
  type Parts,
  type Received,
  respond,
  type Seed,
  show,
  text,
  unknown,
  type View,
} from './seed.ts'

type Key = (received: Received) => string
const pause = () => new Promise<void>((resolve) => void setTimeout(resolve, 2))
const get =
  (name: string): Key =>
  (received) =>
    received.params.get(name) ?? ''

/** A cache with a key. `first` fills it before the check. */
const cached = (key: Key, view: View, first?: Account): Parts => {
  const entries = new Map<string, Account | undefined>()
  if (first !== undefined) entries.set('', first)
  return {
    data(received) {
      const at = key(received)
      if (!entries.has(at)) entries.set(at, find(received.id))
      return respond(entries.get(at), view)
    },
  }
}
/** Only known customers are remembered. */
const cachedKnown = (key: Key, view: View): Parts => {
  const entries = new Map<string, Account>()
  return {
    data(received) {
      const at = key(received)
      const found = entries.get(at) ?? find(received.id)
      if (found !== undefined) entries.set(at, found)
      return respond(found, view)
    },
  }
}
const shared = (scope: () => { id: string }, view: View): Parts => ({
  async data({ id }) {
    const current = scope()
    current.id = id
    await pause()
    return respond(find(current.id), view)
  },
})
/** A fixed sequence, so that every run meets the same share. */
const mixed = (share: number, view: View): Parts => {
  let state = 20_261_123
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  return {
    data({ id }) {
      const other = next() < share ? { acc_northwind: LUMEN, acc_lumen: NORTHWIND }[id] : undefined
      return respond(other ?? find(id), view)
    },
  }
}
/** Known customers are right; this responds for the others. */
const otherwise = (
  respondTo: (last: Account, received: Received) => Response,
  view: View,
): Parts => {
  let last = NORTHWIND
  return {
    data(received) {
      const found = find(received.id)
      if (found === undefined) return respondTo(last, received)
      last = found
      return respond(found, view)
    },
  }
}
const always = (map: Readonly<Record<string, Account>>, view: View): Parts => ({
  data: ({ id }) => respond(map[id] ?? find(id), view),
})

const right = get('account_id')
const rightCache = (view: View) => cached(right, view)
const KEYS = ['widget_id', 'app_id', 'organization_id', 'requester_id', 'requester_email'] as const
const TEXTS = [...LEAK, 'data-shows']

const caches = [
  ...byView('cache-global', (view) => cached(() => '', view), rightCache),
  ...byView('cache-warm-third', (view) => cached(() => '', view, FABRIKAM), rightCache, TEXTS),
  ...byView('cache-warm-first', (view) => cached(() => '', view, NORTHWIND), rightCache),
  ...byView('cache-warm-second', (view) => cached(() => '', view, LUMEN), rightCache),
  ...byView(
    'cache-known-global',
    (view) => cachedKnown(() => '', view),
    (view) => cachedKnown(right, view),
  ),
  ...KEYS.flatMap((key) => byView(`cache-by-${key}`, (view) => cached(get(key), view), rightCache)),
  ...KEYS.flatMap((key) =>
    byView(
      `cache-known-by-${key}`,
      (view) => cachedKnown(get(key), view),
      (view) => cachedKnown(right, view),
    ),
  ),
  ...byView(
    'cache-by-id-prefix',
    (view) => cached((each) => right(each).slice(0, 4), view),
    rightCache,
  ),
  ...byView('cache-by-request-type', (view) => cached(get('request_type'), view), rightCache),
  ...byView(
    'cache-by-secret',
    (view) => cached((each) => each.request.headers.get('x-key') ?? '', view),
    rightCache,
  ),
  ...byView(
    'cache-by-path',
    (view) => cached((each) => new URL(each.request.url).pathname, view),
    rightCache,
  ),
]

const sharedScope = () => {
  const scope = { id: '' }
  return () => scope
}
const counted = (
  view: View,
  pick: (count: number, id: string, last: string) => Account | undefined,
) => {
  let count = 0
  let last = ''
  return {
    data({ id }: Received) {
      count += 1
      const found = pick(count, id, last)
      last = id
      return respond(found, view)
    },
  }
}
const state = [
  ...byView(
    'shared-variable',
    (view) => shared(sharedScope(), view),
    (view) => shared(() => ({ id: '' }), view),
  ),
  ...byView('first-for-all', (view) => {
    let first: Account | undefined
    return { data: ({ id }) => respond((first ??= find(id)), view) }
  }),
  ...byView('previous-request', (view) => counted(view, (_, id, last) => find(last || id))),
  ...byView('every-20th-is-the-last', (view) =>
    counted(view, (count, id, last) => find(count % 20 === 0 ? last : id)),
  ),
  ...byView('second-for-first', (view) => always({ acc_northwind: LUMEN }, view)),
  ...byView('first-for-second', (view) => always({ acc_lumen: NORTHWIND }, view)),
  ...byView('swapped', (view) => always({ acc_lumen: NORTHWIND, acc_northwind: LUMEN }, view)),
  ...byView('third-for-second', (view) => always({ acc_lumen: FABRIKAM }, view), undefined, TEXTS),
  ...byView(
    'third-for-all',
    (view) => always({ acc_lumen: FABRIKAM, acc_northwind: FABRIKAM }, view),
    undefined,
    TEXTS,
  ),
  ...[0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8].flatMap((share) =>
    byView(
      `mixed-${share * 100}-percent`,
      (view) => mixed(share, view),
      (view) => mixed(0, view),
    ),
  ),
  ...byView('mixed-10-percent-second-only', (view) => {
    const both = mixed(0.1, view)
    return {
      data: (each) => (each.id === LUMEN.id ? both.data!(each) : respond(find(each.id), view)),
    }
  }),
  ...byView(
    'not-found-second',
    (view) => counted(view, (_, id) => (id === LUMEN.id ? undefined : find(id))),
    undefined,
    TEXTS,
  ),
  ...byView('not-found-for-all', () => ({ data: () => json(unknown()) }), undefined, TEXTS),
  ...byView(
    'not-found-sometimes',
    (view) => counted(view, (count, id) => (count % 7 === 0 ? undefined : find(id))),
    undefined,
    TEXTS,
  ),
  ...byView('lookup-by-length', (view) =>
    counted(view, (_, id) => ACCOUNTS.find((each) => each.id.length >= id.length)),
  ),
  ...byView('lookup-by-start', (view) =>
    counted(view, (_, id) => ACCOUNTS.find((each) => each.id.startsWith(id.slice(0, 4)))),
  ),
]

const firstFor =
  (applies: (received: Received) => boolean, found = NORTHWIND) =>
  (view: View) =>
    otherwise((_, received) => respond(applies(received) ? found : undefined, view), view)
const outsiders = [
  ...byView(
    'unknown-gets-first-row',
    firstFor(() => true),
  ),
  ...byView(
    'unknown-gets-second-row',
    firstFor(() => true, LUMEN),
  ),
  ...byView('unknown-gets-last', (view) => otherwise((last) => respond(last, view), view)),
  ...byView('unknown-gets-name-only', (view) =>
    otherwise(() => json(show(text('Did you mean', NORTHWIND.name))), view),
  ),
  ...byView('unknown-gets-all', (view) =>
    otherwise(
      () => json(show(...ACCOUNTS.map(({ name }, at) => text(`Customer ${at}`, name)))),
      view,
    ),
  ),
  ...byView('unknown-404-names-one', (view) =>
    otherwise(() => json({ error: 'not found', near: NORTHWIND.name }, 404), view),
  ),
  ...byView('unknown-500-names-one', (view) =>
    otherwise(() => json({ error: `no row after ${LUMEN.name}` }, 500), view),
  ),
  ...byView(
    'empty-id-gets-first',
    firstFor(({ id, params }) => id === '' && params.has('account_id')),
  ),
  ...byView(
    'absent-id-gets-first',
    firstFor(({ params }) => !params.has('account_id')),
  ),
  ...byView('no-account-gets-last', (view) =>
    otherwise(
      (last, { params }) => respond(params.has('account_id') ? undefined : last, view),
      view,
    ),
  ),
  ...byView(
    'email-gets-first',
    firstFor(({ params }) => /['+]/.test(params.get('requester_email') ?? '')),
  ),
  ...byView(
    'long-id-gets-first',
    firstFor(({ id }) => id.length > 100),
  ),
  {
    id: 'unknown-shares-an-object',
    group: 'another customer’s data',
    rules: LEAK,
    defect(): Parts {
      const nobody = [text('Result', 'No such customer')]
      return {
        data({ id }) {
          const found = find(id)
          if (found === undefined) return json(show(...nobody))
          nobody[1] = text('Owner', found.owner)
          return respond(found)
        },
      }
    },
  },
  ...byView(
    'non-ascii-id-gets-second',
    firstFor(({ id }) => /[^ -~]/.test(id), LUMEN),
  ),
]

/** Responses to browsers and proxies that are cached by one header, for all customers. */
const variants = ['origin', 'accept-language', 'x-forwarded-for', 'range', 'if-none-match'].flatMap(
  (name) =>
    byView(`cache-by-${name}-header`, (view) => {
      const entries = new Map<string, Account | undefined>()
      return {
        data({ id, request }) {
          const key = request.headers.get(name)
          if (key === null) return respond(find(id), view)
          if (!entries.has(key)) entries.set(key, find(id))
          return respond(entries.get(key), view)
        },
      }
    }),
)

/** One value of a sidebar that cannot identify its customer. */
const VALUES: Readonly<Record<string, (account: Account) => unknown>> = {
  badge: ({ plan }) => ({ type: 'badge', label: 'Plan', items: [{ value: plan, color: 'blue' }] }),
  amount: ({ seats }) => text('Due', `${seats * 12}.50 EUR`),
  date: ({ seats }) => ({
    type: 'date_time',
    label: 'Renewal',
    value: `20${seats + 30}-03-01T08:00:00Z`,
  }),
  link: ({ seats }) => ({ type: 'link', label: 'Open', url: `https://crm.example/c/${seats}` }),
  label: ({ plan }) => text(`${plan} since`, '2024'),
  code: ({ seats }) => text('Invoice', `INV-${71_000 + seats}`),
}

/** Mistakes that choose the account of one value. The rest of the sidebar is right. */
const CHOICES: Readonly<
  Record<string, () => (received: Received) => Promise<Account | undefined>>
> = {
  'shared-variable': () => {
    let current: Account | undefined
    return async ({ id }) => {
      current = find(id)
      await pause()
      return current
    }
  },
  'previous-request': () => {
    let last: Account | undefined
    return async ({ id }) => {
      const chosen = last ?? find(id)
      last = find(id)
      return chosen
    }
  },
  ...Object.fromEntries(
    [...KEYS.slice(2), 'domain'].map((name) => [
      `cache-by-${name}`,
      () => {
        const entries = new Map<string, Account | undefined>()
        return async ({ id, params }: Received) => {
          const key =
            name === 'domain'
              ? (params.get('requester_email') ?? '').replace(/^.*@/, '')
              : (params.get(name) ?? '')
          const chosen = entries.get(key) ?? find(id)
          entries.set(key, chosen)
          return chosen
        }
      },
    ]),
  ),
}

const parts = Object.entries(VALUES).flatMap(([value, showValue]) =>
  Object.entries(CHOICES).map(([cause, create]): Seed => {
    const showWith = async (received: Received, account: Account | undefined) => {
      const own = find(received.id)
      return own === undefined
        ? json(unknown())
        : json(show(text('Name', own.name), showValue(account ?? own)))
    }
    return {
      id: `one-${value}-${cause}`,
      group: 'another customer’s data',
      rules: LEAK,
      defect() {
        const choose = create()
        return { data: async (received) => showWith(received, await choose(received)) }
      },
      twin: () => ({ data: (received) => showWith(received, find(received.id)) }),
    }
  }),
)

/** An endpoint that caches one value for all customers, which may both seem to have it. */
const sharedByAll: readonly Seed[] = ['code'].map((value) => ({
  ...parts.find(({ id }) => id.startsWith(`one-${value}-`))!,
  id: `one-${value}-for-all`,
  rules: ['security-shared-values'],
  defect(): Parts {
    let first: Account | undefined
    return {
      data({ id }) {
        const own = find(id)
        first ??= own
        return json(own && first ? show(text('Name', own.name), VALUES[value]!(first)) : unknown())
      },
    }
  },
}))

/** Mistakes that show one customer's data to another, or to an unknown one. */
export const mixupSeeds: readonly Seed[] = [
  ...caches,
  ...state,
  ...variants,
  ...outsiders,
  ...parts,
  ...sharedByAll,
]
