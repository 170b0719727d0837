import { Hono } from 'hono'
import { noAuth, sidecard, text } from 'sidecard'
import { withBuilders, withLiterals } from '../payloads.ts'

/** The two sizes of answer that are compared: three cards with fifteen components, and one text. */
export type Size = 'realistic' | 'one'

const PARAMETERS = [
  'request_type',
  'app_id',
  'widget_id',
  'issue_id',
  'organization_id',
  'account_id',
  'requester_id',
  'requester_email',
]

/** Reads the same parameters and returns the same JSON, unchecked: what checking is measured against. */
export function bareHono(size: Size): Hono {
  let n = 0
  return new Hono().get('/', (c) => {
    for (const name of PARAMETERS) c.req.query(name)
    n = (n + 1) % 1000
    return c.json(
      size === 'realistic'
        ? withLiterals(n)
        : {
            version: '1.0.0',
            header: { title: 'Billing' },
            components: [{ type: 'text', label: 'Plan', value: `Enterprise ${n}` }],
          },
    )
  })
}

/** The same answer from a sidebar app, built by builders, checked as always. */
export function checked(size: Size): Hono {
  let n = 0
  return sidecard({
    header: { title: 'Billing' },
    auth: noAuth(),
    fetchData(ctx) {
      n = ctx.params.account_id === undefined ? 0 : (n + 1) % 1000
      return size === 'realistic'
        ? withBuilders(n)
        : [text({ label: 'Plan', value: `Enterprise ${n}` })]
    },
  })
}

export const CONTENDERS = { bareHono, checked }
export type Contender = keyof typeof CONTENDERS

export const QUERY =
  '?request_type=fetch_data&app_id=app_1&widget_id=wid_1&issue_id=iss_20931&organization_id=org_7&account_id=acc_93f2&requester_id=usr_551&requester_email=jane.doe%2Bbilling%40example.com'
