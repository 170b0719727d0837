import { Hono } from 'hono'
import { noAuth, sidecard } from 'sidecard'
import { header } from '../payloads.ts'
import { checks } from './checks.ts'
import { PARAMETERS } from './parameters.ts'
import { built, literals, type Size } from './sizes.ts'

/** What can be asked in process. */
export interface App {
  fetch(request: Request): Response | Promise<Response>
}

export const QUERY =
  '?request_type=fetch_data&app_id=app_1&widget_id=wid_1&issue_id=iss_20931&organization_id=org_7&account_id=acc_93f2&requester_id=usr_551&requester_email=jane.doe%2Bbilling%40example.com'

/** A Hono app that reads the same parameters and looks at its answer with `check`. */
function hono(size: Size, check: (payload: unknown) => unknown): App {
  let n = 0
  return new Hono().get('/', (c) => {
    for (const name of PARAMETERS) c.req.query(name)
    n = (n + 1) % 1000
    return c.json(check(literals(size, n)) as object)
  })
}

/** The same answer from a sidebar app: built by builders, checked as always. */
export function checked(size: Size): App {
  let n = 0
  return sidecard({
    header,
    auth: noAuth(),
    limits: { maxComponents: 10_000 },
    fetchData(ctx) {
      n = ctx.params.account_id === undefined ? 0 : (n + 1) % 1000
      return built(size, n).components
    },
  })
}

/** Contenders by name, each made for a size of answer. */
export const APPS: Readonly<Record<string, (size: Size) => App | Promise<App>>> = {
  'bare Hono': (size) => hono(size, (payload) => payload),
  sidecard: checked,
  'Hono + checks by hand': async (size) => hono(size, (await checks()).byHand),
  'Hono + zod': async (size) => hono(size, (await checks()).zod),
  'Hono + z.compile (eval)': async (size) => hono(size, (await checks()).zodCompiled),
  'Hono + zod without eval': async (size) => hono(size, (await checks()).zodWithoutEval),
  'Hono + zod/mini': async (size) => hono(size, (await checks()).zodMini),
  'Hono + valibot': async (size) => hono(size, (await checks()).valibot),
}
