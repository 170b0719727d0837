import { Hono } from 'hono'
import { noAuth, sidecard } from 'sidecard'
import { LIMITS } from './limits.ts'
import { PARAMETERS } from './parameters.ts'
import {
  HEADER,
  type Size,
  stringBuilders,
  stringLiterals,
  withBuilders,
  withLiterals,
} from './payloads.ts'
import { createValidators } from './validators.ts'

/** An app that can be called in process. */
export interface App {
  fetch(request: Request): Response | Promise<Response>
}

export const BASELINE = 'bare Hono'
export const LITERALS = 'Sidecard, literals'
export const BUILDERS = 'Sidecard, builders'
/** The payload whose dates are strings, with icons and escapes. */
export const STRINGS_BASELINE = 'bare Hono, strings'
export const STRINGS = 'Sidecard, builders, strings'

/** Compared at every size. */
export const MAIN_CANDIDATES = [BASELINE, LITERALS, BUILDERS, STRINGS_BASELINE, STRINGS] as const

/** Returns the candidate with the same payload as another one. */
export function baselineOf(name: string): string {
  return name === STRINGS ? STRINGS_BASELINE : name === STRINGS_BASELINE ? name : BASELINE
}

export const QUERY =
  '?request_type=fetch_data&app_id=app_1&widget_id=wid_1&issue_id=iss_20931&organization_id=org_7&account_id=acc_93f2&requester_id=usr_551&requester_email=jane.doe%2Bbilling%40example.com'

type Create = (
  size: Size,
  n: number,
) => ReturnType<
  typeof withLiterals | typeof withBuilders | typeof stringLiterals | typeof stringBuilders
>

/** A Hono app that reads the same parameters and passes its payload through `validate`. */
function createHono(
  size: Size,
  validate: (payload: unknown) => unknown,
  create: Create = withLiterals,
): App {
  let n = 0
  return new Hono().get('/', (c) => {
    for (const name of PARAMETERS) c.req.query(name)
    return c.json(validate(create(size, (n += 1))) as object)
  })
}

/** A sidebar app, which validates every payload. */
function createSidecard(size: Size, create: Create): App {
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
  [STRINGS_BASELINE]: (size) => createHono(size, (payload) => payload, stringLiterals),
  [STRINGS]: (size) => createSidecard(size, stringBuilders),
  'Hono + manual validation': (size) => createHono(size, createValidators().manual),
  'Hono + zod': (size) => createHono(size, createValidators().zod),
  'Hono + z.compile (eval)': (size) => createHono(size, createValidators().zodCompiled),
  'Hono + zod without eval': (size) => createHono(size, createValidators().zodWithoutEval),
  'Hono + zod/mini': (size) => createHono(size, createValidators().zodMini),
  'Hono + valibot': (size) => createHono(size, createValidators().valibot),
}
