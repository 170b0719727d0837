import type { Context } from 'hono'
import { isInstance } from '../internal/hostile-values.ts'
import { DesignedCardError } from '../app/designed-card.ts'
import type { Component } from '../contract/generated/types.ts'
import { readActionTest } from '../internal/action-test.ts'
import { createTraceId } from '../internal/trace-id.ts'
import { Deadline, runUserCode } from '../internal/user-code.ts'
import { isActionError } from './action-error.ts'
import { nameAgent } from './agent.ts'
import { isClaimState } from './claims.ts'
import { claimIdOf, confirm, findLastDone, showState, toComponents } from './confirm.ts'
import { finishPage } from './finish-page.ts'
import { type FormInput, isSameOrigin, readFields, readFormBody } from './form-body.ts'
import { UNAVAILABLE } from './make-links.ts'
import { callClaims, openVisit } from './open-visit.ts'
import type { FormView, PageView } from './page-view.ts'
import { readNow } from './setup.ts'
import { createFormToken, isFormToken } from './token.ts'
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
  /** The response of the option `agent`. */
  readonly response?: Response
}

async function respondTo(request: Request): Promise<Result> {
  const { c, app, actions, reader, deadline } = request
  const { messages } = actions
  const { method } = c.req
  // A scanner or a prefetch sends GET or HEAD, so neither changes anything.
  if (method !== 'GET' && method !== 'POST') return { view: invalidRequest(request, 405) }
  const bindings = await app.readBindings(c.env, deadline)
  if (bindings.problems !== undefined) return { view: unavailable(request, bindings.problems) }
  const { env } = bindings
  const found = await reader.read(c, env, request.test)
  if ('problems' in found) return { view: unavailable(request, found.problems) }
  const { setup } = found

  let body: URLSearchParams | undefined
  if (method === 'POST') {
    if (!isSameOrigin(c, setup.pageUrl)) return { view: foreignForm(request) }
    body = await readFormBody(c, deadline)
    if (body === undefined) return { view: invalidRequest(request, 400) }
  }
  const query = body ?? new URL(c.req.url).searchParams
  const [token = '', ...others] = query.getAll('t')
  if (others.length > 0) return { view: invalidRequest(request, 400) }
  if (token === '' && body === undefined) {
    if (query.has(UNAVAILABLE)) return { view: unavailable(request) }
    const { noLink: heading, noLinkText: text } = messages
    return { view: { outcome: 'invalid', status: 400, heading, text } }
  }
  const opened = await openVisit(request, setup, env, token)
  if ('response' in opened) return { view: foreignForm(request), response: opened.response }
  if ('view' in opened) return opened
  const { visit } = opened
  const view =
    (await forbid(visit)) ?? (await (body === undefined ? show(visit) : submit(visit, body)))
  const { signInOrigins } = actions.agent
  return { view: { ...view, signInOrigins }, visit }
}

function unavailable({ actions }: Request, problems?: readonly string[]): PageView {
  const { unavailable: heading, unavailableText: text } = actions.messages
  return { outcome: 'failed', status: 503, heading, text, problems, showsTraceId: true }
}

function invalidRequest({ actions }: Request, status: 400 | 405): PageView {
  const { invalid: heading, invalidText: text } = actions.messages
  return { outcome: 'invalid', status, heading, text }
}

function foreignForm({ actions }: Request): PageView {
  const { forbidden: heading, foreignForm: text } = actions.messages
  return { outcome: 'forbidden', status: 403, heading, text }
}

/** Asks `allow`, which denies if it throws. */
async function forbid(visit: Visit): Promise<PageView | undefined> {
  const { agent, definition, ctx, input, actions, deadline } = visit
  const { options } = definition
  if (options.allow === undefined) return undefined
  const { forbidden: heading, forbiddenText, forbiddenAnyone } = actions.messages
  const text = agent === undefined ? forbiddenAnyone : forbiddenText(nameAgent(agent))
  const view = { outcome: 'forbidden', status: 403, heading, text } as const
  try {
    const allowed: unknown = await runUserCode(() => options.allow?.(ctx, input), deadline)
    return allowed === true ? undefined : view
  } catch (error) {
    return { ...view, error, showsTraceId: true }
  }
}

/** Shows what will happen, and the form. */
async function show(visit: Visit, input?: FormInput, notice?: PageView): Promise<PageView> {
  const { definition, actions, claims } = visit
  const { messages } = actions
  try {
    if (notice === undefined) {
      const id = await claimIdOf(visit)
      // Without a reply of the store, the page still shows who is affected.
      const state: unknown = await callClaims(() => claims.find?.(id)).catch(() => undefined)
      if (isClaimState(state)) return showState(visit, state)
    }
    const components = await runShow(visit)
    const lastDone = await findLastDone(visit).catch(() => undefined)
    return {
      outcome: 'shown',
      status: 200,
      heading: definition.label,
      ...notice,
      components,
      form: await createForm(visit, input),
      ...(lastDone !== undefined && { lastDone: messages.lastDone(lastDone) }),
    }
  } catch (error) {
    return notice === undefined ? showFailure(visit, error) : notice
  }
}

function runShow(visit: Visit): Promise<readonly Component[]> {
  const { definition, ctx, input, deadline } = visit
  const attributes = { 'sidecard.action': definition.name }
  const run = () => definition.options.show(ctx, input)
  return ctx.run('action.show', attributes, run, deadline, (content) =>
    toComponents(content, visit),
  )
}

/** Shows why `show` returned nothing: it failed, or found no customer. There is no form then. */
async function showFailure(visit: Visit, error: unknown): Promise<PageView> {
  const { app, actions } = visit
  const { unavailable: heading, failedText, notDone } = actions.messages
  if (isActionError(error)) {
    return { outcome: 'refused', status: 409, heading: notDone, text: error.message, error }
  }
  if (isInstance(error, DesignedCardError)) {
    const { card } = DesignedCardError.show(error, app.messages)
    const components = await toComponents(card, visit).catch(() => [])
    return { outcome: 'not_found', status: 404, heading, components }
  }
  return { outcome: 'failed', status: 500, heading, text: failedText, error, showsTraceId: true }
}

async function createForm(visit: Visit, input?: FormInput): Promise<FormView> {
  const { definition, setup, token, keys, link, agent } = visit
  return {
    fields: definition.form,
    entered: input?.entered ?? {},
    problems: input?.problems ?? {},
    path: new URL(setup.pageUrl).pathname,
    token,
    formToken: await createFormToken(keys, link.id, agent?.id),
  }
}

/** Handles a form: its own token, its fields, and then the confirmation. */
async function submit(visit: Visit, body: URLSearchParams): Promise<PageView> {
  const { keys, link, agent, definition, actions, ctx } = visit
  const { messages } = actions
  if (!(await isFormToken(body.get('form') ?? '', keys, link.id, agent?.id))) {
    return foreignForm(visit)
  }
  const input = readFields(definition.form, body, messages)
  if (Object.keys(input.problems).length > 0) {
    const { checkFields: text } = messages
    return show(visit, input, { outcome: 'invalid', status: 422, heading: definition.label, text })
  }
  const work = confirm(visit, input.values)
  // It goes on if the browser goes away.
  ctx.waitUntil(work)
  const view = await work
  // Nothing was done, so the agent can try again.
  return view.outcome === 'refused' ? show(visit, input, view) : view
}
