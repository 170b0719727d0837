import type { Context } from 'hono'
import { INCOMING } from '../../internal/connection.ts'
import { readProperty } from '../../internal/hostile-values.ts'
import { isTimeout, type TimeLimit } from '../../internal/user-code.ts'
import type { ActionDefinition } from '../run/definition.ts'
import type { Form, FormValues } from '../fields/fields.ts'
import type { ActionMessages } from '../messages.ts'
import type { EnteredField, PageView } from './page-view.ts'

/** The maximum size of a body in bytes, which is more than any form of an action needs. */
const MAX_BODY_BYTES = 262_144

/** The prefix of the names of an action's own fields. */
export const FIELD_PREFIX = 'field-'

/**
 * Returns the part of the page that says why a form is not from a page of the same origin;
 * `undefined` if it is. Other sites can send forms too.
 */
export function findForeignOrigin(
  { req }: Context,
  pageUrl: string,
  messages: ActionMessages,
): Pick<PageView, 'text' | 'error'> | undefined {
  const { headers } = req.raw
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  // Over plain HTTP, browsers do not send Sec-Fetch-Site.
  const isSame = site === null ? origin === new URL(pageUrl).origin : site === 'same-origin'
  if (isSame) return undefined
  if (site !== null || origin !== 'null') return { text: messages.foreignForm }
  return { text: messages.hiddenOrigin, error: new TypeError(HIDDEN_ORIGIN) }
}

const HIDDEN_ORIGIN =
  'The browser sent Origin: null over plain HTTP. Usually, a proxy sets Referrer-Policy: no-referrer. Remove it, or use https.'

/**
 * Reads the body of a form, or the result of the parser that has read it. If neither
 * is possible, returns the reason, for the log.
 */
export async function readFormBody(
  c: Context,
  limit: TimeLimit,
): Promise<URLSearchParams | string> {
  const type = c.req.raw.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    return 'The content type is not application/x-www-form-urlencoded.'
  }
  try {
    const body = await limit.race(readBody(c))
    if (typeof body === 'string') return body
    const names = [...body.keys()]
    return new Set(names).size < names.length ? 'A field is repeated.' : body
  } catch (error) {
    return isTimeout(error)
      ? 'The form did not arrive before the timeout.'
      : 'The form did not arrive as a whole, or a parser of the host rejected it.'
  }
}

async function readBody({ req }: Context): Promise<URLSearchParams | string> {
  if (Object.keys(req.bodyCache).length > 0) return fromForm(await req.formData()) ?? ALREADY_READ
  const incoming = readProperty(req.raw, INCOMING)
  // Before the app, Express 4 sets `body` even if it has not read the form.
  if (readProperty(incoming, 'readableDidRead') === true) {
    return fromParser(readProperty(incoming, 'body')) ?? ALREADY_READ
  }
  if (req.raw.bodyUsed) return ALREADY_READ
  const text = await readText(req.raw)
  return text === undefined ? 'The form is larger than 256 KiB.' : new URLSearchParams(text)
}

const ALREADY_READ =
  'Other code has read the form before the app, and left no fields in `body`. Mount the app before it.'

/** Returns the fields that a parser of the host left in `body`. Those that it nested are unusable. */
function fromParser(body: unknown): URLSearchParams | undefined {
  if (typeof body === 'string') return new URLSearchParams(body)
  if (body instanceof Uint8Array) return new URLSearchParams(new TextDecoder().decode(body))
  if (typeof body !== 'object' || body === null) return undefined
  return fromForm(
    Object.entries(body).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  )
}

function fromForm(pairs: Iterable<readonly unknown[]>): URLSearchParams | undefined {
  const body = new URLSearchParams()
  for (const [name, value] of pairs) {
    if (typeof value !== 'string') return undefined
    body.append(String(name), value)
  }
  return body
}

async function readText({ body }: Request): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The fields of a form: as entered, as read, and their problems. */
export interface FormInput {
  readonly entered: readonly EnteredField[]
  readonly values: FormValues<Form>
  readonly problems: ReadonlyMap<string, string>
}

/** Reads the fields of an action from the body of its form. */
export function readFields(form: Form, body: URLSearchParams, messages: ActionMessages): FormInput {
  const values: (readonly [string, unknown])[] = []
  const problems = new Map<string, string>()
  const entered = Object.entries(form).map(([name, { view, read }]) => {
    const text = body.get(FIELD_PREFIX + name) ?? ''
    const result = read(text, messages)
    if ('problem' in result) problems.set(name, result.problem)
    else values.push([name, result.value])
    return [name, view.label, text] as const
  })
  // Object.fromEntries() is safe for any field name, even "__proto__".
  return { entered, values: Object.fromEntries(values), problems }
}

/** Returns the parts of a form to send again, without its button and the token of its review. */
export function keepSent(body: URLSearchParams): ReadonlyArray<readonly [string, string]> {
  return [...body].filter(([name]) => name.startsWith(FIELD_PREFIX) || KEPT.has(name))
}

const KEPT = new Set(['t', 'form', 'seen'])

/** Lists what an agent entered, for a page without the form. */
export function listEntered(
  form: ActionDefinition['form'],
  body: URLSearchParams | undefined,
): readonly EnteredField[] {
  return [...(body ?? [])].flatMap(([key, text]) => {
    if (!key.startsWith(FIELD_PREFIX)) return []
    const name = key.slice(FIELD_PREFIX.length)
    const field = typeof form !== 'function' && Object.hasOwn(form, name) ? form[name] : undefined
    return [[name, field?.view.label ?? name, text] as const]
  })
}
