import { Hono } from 'hono'
import { noAuth, sidecard } from 'sidecard'
import { payloadSchema } from 'sidecard/schema'
import { FETCH_DATA_PARAMETERS } from '../src/runtime/contract/parameters.ts'
import { built, HEADER, LIMITS, literals, readRow, type Size } from './payloads.ts'

/** An app that can be called in process. */
export interface App {
  fetch(request: Request): Response | Promise<Response>
}

export const QUERY =
  '?request_type=fetch_data&app_id=app_1&widget_id=wid_1&issue_id=iss_20931&organization_id=org_7&account_id=acc_93f2&requester_id=usr_551&requester_email=jane.doe%2Bbilling%40example.com'

/** The baseline of the absolute costs: it validates nothing. */
export const BARE = 'bare Hono'
/** What one would write without the kit. */
export const VALIDATED = 'Hono, payloadSchema.parse()'
export const LITERALS = 'Sidecard, literals'
export const BUILDERS = 'Sidecard, builders'

export type Stack = typeof BARE | typeof VALIDATED | typeof LITERALS | typeof BUILDERS

const HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

/** The same response from each stack. */
export const STACKS: Readonly<Record<Stack, (size: Size, read?: typeof readRow) => App>> = {
  [BARE]: (size, read) => createHono(size, read, (payload) => payload),
  [VALIDATED]: (size, read) =>
    createHono(size, read, (payload) => payloadSchema.parse(payload), HEADERS),
  [LITERALS]: (size, read) => createSidecard(size, read, literals),
  [BUILDERS]: (size, read) => createSidecard(size, read, built),
}
export const STACK_NAMES = Object.keys(STACKS) as Stack[]

function createHono(
  size: Size,
  read = readRow,
  validate: (payload: object) => object,
  headers: Readonly<Record<string, string>> = {},
): App {
  let n = 0
  return new Hono().get('/', (c) => {
    for (const name of FETCH_DATA_PARAMETERS) c.req.query(name)
    const components = literals(size, (n += 1), read)
    return c.json(validate({ version: '1.0.0', header: HEADER, components }), 200, headers)
  })
}

function createSidecard(size: Size, read = readRow, create: typeof literals): App {
  let n = 0
  return sidecard({
    header: HEADER,
    auth: noAuth(),
    limits: LIMITS,
    // The other stacks write no line for each request either.
    logger: false,
    fetchData: ({ params }) =>
      params.account_id === undefined ? [] : create(size, (n += 1), read),
  })
}
