import { runUserCode } from '../internal/user-code.ts'
import type { StandardSchema } from '../internal/standard-schema.ts'
import { identifyIntent } from './intent.ts'
import { describeInputIssue } from './input.ts'
import { createPage, type EnteredField, type PageView } from './page-view.ts'
import { listEntered } from './form-body.ts'
import { isReceipts, type Receipts } from './receipts.ts'
import { identify, linkTo } from './sign-in.ts'
import { isDevelopment, type Setup } from './setup.ts'
import { callStore, openReceipts } from './store.ts'
import { openLink } from './token.ts'
import { ActionRequest, type Request, type Visit } from './visit.ts'

/** A request that ends with another page. */
interface Ended {
  readonly view: PageView
  /** The link, for the audit record. */
  readonly link?: Visit['link']
  /** The response of the option `signIn`. */
  readonly response?: Response
}

/** A form that was loaded in time is accepted for longer: an agent may be typing. */
const FORM_EXTRA_MS = 600_000

/** Opens the link of a request, and finds out who sent it. */
export async function openVisit(
  request: Request,
  setup: Setup,
  env: unknown,
  token: string,
  body: URLSearchParams | undefined,
): Promise<{ readonly visit: Visit } | Ended> {
  const { actions, nowMs, deadline } = request
  const opened = await openLink(token, setup.audience, setup.keys, nowMs)
  const definition = opened && actions.definitions.get(opened.link.name)
  if (opened === undefined || definition === undefined) {
    return { view: createPage(request, 'invalid') }
  }
  const { link, keys } = opened
  const entered = listEntered(definition.form, body)
  const expired = (error?: unknown): Ended => ({
    view: createPage(request, 'expired', { error, entered }),
    link,
  })
  const extraMs = body === undefined ? 0 : FORM_EXTRA_MS
  if (opened.hasExpired && nowMs >= link.expiresAtSeconds * 1_000 + extraMs) return expired()

  const signIn = await identify(request, setup, env)
  if (!('agent' in signIn)) {
    const { error, response } = signIn
    if (body !== undefined) {
      return { view: askToSignIn(request, setup, token, body, entered, error), link }
    }
    const view = createPage(request, 'forbidden', { error, showsTraceId: true })
    return { view, ...(response === undefined ? { link } : { response }) }
  }
  const { agent } = signIn

  let receipts: Receipts
  let sinceMs = 0
  try {
    receipts = await findReceipts(request, env)
    // A test can set the clock to any time, and a developer saves while a page is open.
    const isExact = request.test === undefined && !isDevelopment(request.c)
    if (isExact) sinceMs = (await callStore(() => receipts.since?.())) ?? 0
  } catch (error) {
    return { view: createPage(request, 'failed', { status: 503, error, entered }), link }
  }
  if (link.issuedAtMs < sinceMs) return expired()
  try {
    const input = await validateInput(definition.input, link.input, request)
    const ctx = new ActionRequest(request, link.ids, env, deadline, agent)
    const part = { ...request, setup, link, token, keys, definition, input, receipts, agent, ctx }
    return { visit: { ...part, intent: await identifyIntent(part) } }
  } catch (error) {
    // The link is from before a deployment that changed the input.
    return error instanceof InputError
      ? expired(error)
      : { view: createPage(request, 'failed', { error, entered }), link }
  }
}

/** Keeps what the agent entered while they sign in again, in another tab. */
function askToSignIn(
  { actions }: Request,
  { pageUrl }: Setup,
  token: string,
  body: URLSearchParams,
  entered: readonly EnteredField[],
  error: unknown,
): PageView {
  const { signInExpired: text } = actions.messages
  const { pathname: path } = new URL(pageUrl)
  const [formToken, seen] = [body.get('form') ?? '', body.get('seen') ?? '']
  return createPage({ actions }, 'forbidden', {
    text,
    error,
    entered,
    again: linkTo(path, token),
    resend: { path, token, formToken, seen },
  })
}

async function findReceipts({ c, actions, test, deadline }: Request, env: unknown) {
  const provided = test?.receipts
  if (provided === undefined) return openReceipts(actions, c.env, env, deadline, test !== undefined)
  if (isReceipts(provided)) return provided
  throw new TypeError('The option receipts of createTestService() is not receipts.')
}

class InputError extends TypeError {}

/** Parses the JSON of an input. @throws {InputError} if the schema rejects it */
export async function validateInput(
  schema: StandardSchema,
  json: string,
  { deadline }: Pick<Request, 'deadline'>,
): Promise<unknown> {
  const result = await runUserCode(() => schema['~standard'].validate(JSON.parse(json)), deadline)
  if (result.issues === undefined) return result.value
  const [issue] = result.issues
  throw new InputError(`The input of the link ${issue ? describeInputIssue(issue) : 'is invalid'}.`)
}
