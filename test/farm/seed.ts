import type { CheckOptions } from '../../src/tools/check/index.ts'
import { HEADERS, SECURITY_HEADERS } from '../fixtures/endpoints/reference.ts'

/** One request, as a handler sees it. */
export interface Received {
  readonly request: Request
  readonly params: URLSearchParams
  readonly id: string
  /** One object for each connection. */
  readonly connection: object
}

/** The parts of an endpoint that a seed replaces. */
export interface Parts {
  readonly authorized?: (received: Received) => boolean
  readonly rejected?: (received: Received) => Response
  readonly verify?: (code: string, received: Received) => Response | Promise<Response>
  readonly data?: (received: Received) => Response | Promise<Response>
  readonly other?: (received: Received) => Response | Promise<Response>
}

/** A defect in one endpoint, and the same endpoint without it. */
export interface Seed {
  readonly id: string
  readonly group: string
  /** The rules of which at least one must report the defect. `data-*` means all rules with that start. */
  readonly rules: readonly string[]
  readonly defect: () => Parts
  /** The same code without the defect. @default the reference */
  readonly twin?: () => Parts
  /** What the check of the defect, of its twin, or of both needs. */
  readonly options?: Readonly<Partial<Record<'defect' | 'twin' | 'both', SeedOptions>>>
}

/** Options of one check. */
export interface SeedOptions extends CheckOptions {
  /** The URL that is checked. No request reaches the network. */
  readonly target?: string
}

/** Two secrets in headers. */
export const SECRETS = { ...HEADERS, 'x-signature': 'sig-71b20f9dc4a8' }

/** A customer of the reference endpoint. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly owner: string
  readonly plan: string
  readonly seats: number
}

const account = (
  id: string,
  name: string,
  owner: string,
  plan: string,
  seats: number,
): Account => ({
  id,
  name,
  owner,
  plan,
  seats,
})

export const NORTHWIND = account(
  'acc_northwind',
  'Northwind Traders',
  'Priya Natarajan',
  'Business',
  25,
)
export const LUMEN = account('acc_lumen', 'Lumen Optics', 'Tomas Lindqvist', 'Starter', 4)
/** Exists, but is never passed to the checker. */
export const FABRIKAM = account('acc_fabrikam', 'Fabrikam Industries', 'Mei Tanaka', 'Business', 70)
export const ACCOUNTS = [NORTHWIND, LUMEN, FABRIKAM]

export const find = (id: string) => ACCOUNTS.find((each) => each.id === id)

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const body = typeof value === 'string' ? value : JSON.stringify(value)
  const all = { 'content-type': 'application/json', ...SECURITY_HEADERS, ...headers }
  return new Response(body, { status, headers: all })
}

export const text = (label: string, value: unknown) => ({ type: 'text', label, value })

/** A payload with these components. */
export const show = (...components: readonly unknown[]) => ({
  version: '1.0.0',
  header: { title: 'Billing' },
  components,
})

export const unknown = () => show(text('Result', 'No such customer'))

/** How an endpoint shows an account: with its ID everywhere, or with names only. */
export type View = (account: Account) => ReturnType<typeof show>

export const full: View = ({ id, name, owner, plan, seats }) =>
  show(
    text('Account', id),
    text('Name', name),
    text('Owner', owner),
    text('Plan', plan),
    text('Seats', `${seats}`),
    {
      type: 'link',
      label: 'Admin',
      url: `https://admin.example/accounts/${id}`,
    },
  )
export const named: View = ({ name, owner, plan }) =>
  show(text('Name', name), text('Owner', owner), text('Plan', plan))

export const respond = (found: Account | undefined, view: View = full) =>
  json(found === undefined ? unknown() : view(found))

/** An endpoint that conforms, except for the parts that are replaced. */
export function endpoint(parts: Parts = {}) {
  return async (request: Request, connection: object = {}): Promise<Response> => {
    const { searchParams: params } = new URL(request.url)
    const received = { request, params, id: params.get('account_id') ?? '', connection }
    const isRight = request.headers.get('x-key') === HEADERS['x-key']
    if (!(parts.authorized?.(received) ?? isRight)) {
      return parts.rejected?.(received) ?? json({ error: 'unauthorized' }, 401)
    }
    const code = params.get('code') ?? ''
    const type = params.get('request_type')
    if (type === 'verify' && code !== '') return parts.verify?.(code, received) ?? json({ code })
    if (type === 'fetch_data') return parts.data?.(received) ?? respond(find(received.id))
    return parts.other?.(received) ?? json({ error: 'bad request' }, 400)
  }
}

/** Creates the seeds of a table: IDs and defects, with the reference as the twin. */
export const seeds = (
  group: string,
  rules: readonly string[],
  table: Readonly<Record<string, () => Parts>>,
): readonly Seed[] => Object.entries(table).map(([id, defect]) => ({ id, group, rules, defect }))

export const LEAK = ['security-isolation']

/** Creates one seed for each view. The twin finds the account by its ID. */
export const byView = (
  id: string,
  defect: (view: View) => Parts,
  twin: (view: View) => Parts = () => ({}),
  rules: readonly string[] = LEAK,
): readonly Seed[] =>
  [full, named].map((view) => ({
    id: `${id}-${view.name}`,
    group: 'another customer’s data',
    rules,
    defect: () => defect(view),
    twin: () => ({ data: ({ id: own }) => respond(find(own), view), ...twin(view) }),
  }))
