import { Hono } from 'hono'
import { noAuth, sidecard } from 'sidecard'
import { LIMITS } from './limits.ts'
import { PARAMETERS } from './parameters.ts'
import { HEADER, type Size, withBuilders, withLiterals } from './payloads.ts'
import { createValidators } from './validators.ts'

/** An app that can be called in process. */
export interface App {
  fetch(request: Request): Response | Promise<Response>
}

export const BASELINE = 'bare Hono'
export const LITERALS = 'Sidecard, literals'
export const BUILDERS = 'Sidecard, builders'

/** Compared at every size. */
export const MAIN_CANDIDATES = [BASELINE, LITERALS, BUILDERS] as const

export const QUERY =
  '?request_type=fetch_data&app_id=app_1&widget_id=wid_1&issue_id=iss_20931&organization_id=org_7&account_id=acc_93f2&requester_id=usr_551&requester_email=jane.doe%2Bbilling%40example.com'

/** A Hono app that reads the same parameters and passes its payload through `validate`. */
function createHono(size: Size, validate: (payload: unknown) => unknown): App {
  let n = 0
  return new Hono().get('/', (c) => {
    for (const name of PARAMETERS) c.req.query(name)
    return c.json(validate(withLiterals(size, (n += 1))) as object)
  })
}

/** A sidebar app, which validates every payload. */
function createSidecard(size: Size, create: typeof withLiterals | typeof withBuilders): App {
  let n = 0
  return sidecard({
    header: HEADER,
    auth: noAuth(),
    limits: LIMITS,
    // A log line per request is not part of what the baseline does.
    logger: false,
    fetchData: ({ params }) =>
      params.account_id === undefined ? [] : create(size, (n += 1)).components,
  })
}

/** The candidates by name. */
export const APPS: Readonly<Record<string, (size: Size) => App>> = {
  [BASELINE]: (size) => createHono(size, (payload) => payload),
  [LITERALS]: (size) => createSidecard(size, withLiterals),
  [BUILDERS]: (size) => createSidecard(size, withBuilders),
  'Hono + manual validation': (size) => createHono(size, createValidators().manual),
  'Hono + zod': (size) => createHono(size, createValidators().zod),
  'Hono + z.compile (eval)': (size) => createHono(size, createValidators().zodCompiled),
  'Hono + zod without eval': (size) => createHono(size, createValidators().zodWithoutEval),
  'Hono + zod/mini': (size) => createHono(size, createValidators().zodMini),
  'Hono + valibot': (size) => createHono(size, createValidators().valibot),
}
