import type { Context } from 'hono'
import { createTraceId } from '../internal/trace-id.ts'
import { readActionTest } from '../internal/action-test.ts'
import { Deadline } from '../internal/user-code.ts'
import { finishPage } from './finish-page.ts'
import { isSameOrigin, readFormBody } from './form-body.ts'
import { UNAVAILABLE } from './make-links.ts'
import { openVisit } from './open-visit.ts'
import { createPage } from './outcomes.ts'
import type { PageView } from './page-view.ts'
import { forbid } from './permission.ts'
import { readNow } from './setup.ts'
import { handleSignIn, signOutPath } from './sign-in.ts'
import { showPage } from './show-page.ts'
import { submit } from './submit.ts'
import type { PageApp, Request, Visit } from './visit.ts'

/** Responds to a request to the page of the actions. */
export async function handlePage(c: Context, page: PageApp): Promise<Response> {
  const deadline = new Deadline(page.app.timeoutMs)
  const test = readActionTest(c)
  const times = { startedAtMs: Date.now(), nowMs: readNow(test) }
  const request = { ...page, ...times, c, deadline, test, traceId: createTraceId() }
  try {
    const { view, visit, link, response } = await respondTo(request)
    return finishPage(request, view, visit, link, response)
  } finally {
    deadline.clear()
  }
}

interface Result {
  readonly view: PageView
  readonly visit?: Visit
  /** The link of a request that was denied, for the audit record. */
  readonly link?: Visit['link'] | undefined
  /** The response of the option `signIn`. */
  readonly response?: Response
}

async function respondTo(request: Request): Promise<Result> {
  const { c, app, actions, reader, deadline } = request
  const { messages } = actions
  const { method } = c.req
  // A scanner or a prefetch sends GET or HEAD, so neither changes anything.
  if (method !== 'GET' && method !== 'POST') {
    return { view: createPage(request, 'invalid', { status: 405 }) }
  }
  const bindings = await app.readBindings(c.env, deadline)
  if (bindings.problems !== undefined) return { view: unavailable(request, bindings.problems) }
  const { env } = bindings
  const found = await reader.read(c, env, request.test)
  if ('problems' in found) return { view: unavailable(request, found.problems) }
  const { setup } = found

  let body: URLSearchParams | undefined
  if (method === 'POST') {
    if (!isSameOrigin(c, setup.pageUrl)) {
      return { view: createPage(request, 'forbidden', { text: messages.foreignForm }) }
    }
    body = await readFormBody(c, deadline)
    if (body === undefined) return { view: createPage(request, 'invalid') }
  }
  const ownResult = await handleSignIn(request, setup, env)
  if (ownResult !== undefined) return ownResult
  const query = body ?? new URL(c.req.url).searchParams
  const [token = '', ...others] = query.getAll('t')
  if (others.length > 0) return { view: createPage(request, 'invalid') }
  if (token === '' && body === undefined) {
    if (query.has(UNAVAILABLE)) return { view: unavailable(request) }
    const { noLink: heading, noLinkText: text } = messages
    return { view: createPage(request, 'invalid', { heading, text }) }
  }
  const opened = await openVisit(request, setup, env, token, body)
  if (!('visit' in opened)) return opened
  const { visit } = opened
  const view =
    (await forbid(visit, undefined)) ??
    (await (body === undefined ? showPage(visit) : submit(visit, body)))
  const { signInOrigins } = actions.signIn
  const signOut = visit.agent && signOutPath(request, setup)
  return { view: { ...view, signInOrigins, signOut }, visit }
}

function unavailable(request: Request, problems?: readonly string[]): PageView {
  const { unavailableText: text } = request.actions.messages
  return createPage(request, 'failed', { status: 503, text, problems })
}
