import { HEADERS } from '../fixtures/endpoints/reference.ts'
import {
  type Account,
  ACCOUNTS,
  find,
  json,
  LEAK,
  LUMEN,
  NORTHWIND,
  type Parts,
  respond,
  type Seed,
  seeds,
  show,
  text,
  unknown,
} from './seed.ts'

const OTHERS = 'another customer’s data'

const badge = ({ plan }: Account) => ({
  type: 'badge',
  label: 'Plan',
  items: [{ value: plan, color: 'blue' }],
})

/** Shows an account with one more component, of which a defect chooses the account. */
const withOne = (create: (account: Account) => unknown, own?: Account, chosen = own) =>
  json(own && chosen ? show(text('Name', own.name), create(chosen)) : unknown())

/** A badge that is wrong once, after a request of a different customer. */
const remembering = (part: 'other' | 'verify'): Parts => {
  let last: Account | undefined
  let previous: Account | undefined
  return {
    data({ id }) {
      const own = find(id)
      const response = withOne(badge, own, last ?? own)
      previous = own
      last = undefined
      return response
    },
    other({ id }) {
      if (part === 'other') last = find(id)
      return json({ error: 'bad request' }, 400)
    },
    verify(code) {
      if (part === 'verify') last = previous
      return json({ code })
    },
  }
}

/** Values that name their account, which are cached once for all. */
const NAMED: Readonly<Record<string, (account: Account) => unknown>> = {
  icon: ({ id }) => ({
    ...text('Contact', 'Support'),
    icon_url: `https://cdn.example/${id.slice(4)}.png`,
  }),
  email: ({ id }) => text('Escalation', `vip-${id.slice(4)}@vendor.example`),
  link: ({ id }) => ({
    type: 'link',
    label: 'Billing',
    url: `mailto:billing@${id.slice(4)}.example`,
  }),
}

const constants = Object.entries(NAMED).map(([what, create]): Seed => ({
  id: `${what}-of-the-first-for-all`,
  group: OTHERS,
  rules: LEAK,
  defect: () => ({ data: ({ id }) => withOne(create, find(id), NORTHWIND) }),
  twin: () => ({ data: ({ id }) => withOne(create, find(id)) }),
}))

const EMAILS = { [NORTHWIND.id]: 'priya@northwind.example', [LUMEN.id]: 'tomas@lumen.example' }
const customers = [NORTHWIND, LUMEN].map(({ id, name }) => ({
  ids: { account_id: id, requester_email: EMAILS[id]! },
  shows: [name],
}))

/** Finds an account by its email address, which a careless lookup treats as a pattern. */
const byEmail = (matches: (known: string, given: string) => boolean): Parts => ({
  data({ params, id }) {
    const given = params.get('requester_email') ?? ''
    const found = ACCOUNTS.find((each) => EMAILS[each.id] && matches(EMAILS[each.id]!, given))
    return respond(find(id) ?? found)
  },
})
const escaped = (pattern: string) => pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
const matching = (wildcard: string) => (known: string, given: string) =>
  new RegExp(`^${escaped(given).replaceAll(wildcard, '.*')}$`).test(known)
const patterns = Object.entries({ like: '%', glob: '*', regex: String.raw`\.*` }).map(
  ([what, wildcard]): Seed => ({
    id: `email-as-a-${what}-pattern`,
    group: OTHERS,
    rules: LEAK,
    options: { both: { customers } },
    defect: () => byEmail(matching(wildcard)),
    // Everybody at the domain of an account belongs to it.
    twin: () => byEmail((known, given) => known.split('@')[1] === given.split('@')[1]),
  }),
)

const sorted = (id: string) => Array.from(id).toSorted().join('')
const lookup = (matches: (known: string, given: string) => boolean): Parts => ({
  data: ({ id }) => respond(ACCOUNTS.find((each) => matches(each.id, id))),
})

/** Mistakes that show only in certain situations, or at one value. */
export const situationSeeds: readonly Seed[] = [
  ...seeds(OTHERS, LEAK, {
    'badge-after-an-invalid-request': () => remembering('other'),
    'badge-after-a-handshake': () => remembering('verify'),
    'key-of-sorted-letters': () => lookup((known, given) => sorted(known) === sorted(given)),
    'unknown-sees-the-badge-of-the-customer-before': () => {
      let last: Account | undefined
      return {
        data({ id }) {
          const own = find(id)
          last = own ?? last
          return own ? withOne(badge, own) : json(show(text('Result', 'None'), last && badge(last)))
        },
      }
    },
  }),
  ...constants,
  ...patterns,
  ...seeds(OTHERS, ['security-shared-values'], {
    'list-ends-with-the-next-invoice': () => ({
      data({ id }) {
        const at = ACCOUNTS.findIndex((each) => each.id === id)
        const invoices = ACCOUNTS.map(({ seats }) => `INV-${71_000 + seats} paid`)
        const own = invoices.slice(at, at + 2).join('\n')
        return json(at < 0 ? unknown() : show(text('Name', find(id)?.name), text('Bills', own)))
      },
    }),
  }),
  ...seeds('headers', ['security-cache'], {
    'same-etag-for-all': () => ({
      data({ id }) {
        const response = respond(find(id))
        response.headers.set('etag', '"deploy-42"')
        return response
      },
    }),
  }),
  ...seeds('authentication', ['security-header-echo'], {
    'masked-secret': () => ({
      rejected: () => json({ error: `expected ${HEADERS['x-key'].slice(0, 8)}****` }, 401),
    }),
  }),
  ...seeds('errors and parameters', ['parameters-email'], {
    'line-break-in-a-header': () => ({
      data({ params, id }) {
        const [, name, value] = /\n([\w-]+): (.*)$/.exec(params.get('requester_email') ?? '') ?? []
        return json(find(id) ? show(text('Name', find(id)?.name)) : unknown(), 200, {
          ...(name && { [name]: value ?? '' }),
        })
      },
    }),
  }),
]
