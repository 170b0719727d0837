import { isDevelopment, type Setup } from '../links/setup.ts'
import { type LinkContent, openLink } from '../links/link.ts'
import { callStore, openReceipts } from '../receipts/store.ts'
import { authorizeRequest, InputError } from '../run/authorized-request.ts'
import { listEntered } from './form-body.ts'
import {
  type ActionPageRequest,
  explainDenial,
  type PageOutcome,
  type PageRequest,
  type PageView,
} from './page-view.ts'
import { identify, linkTo, outcomeOf } from './sign-in.ts'

/** The request to the page of an action, or the page that ends it early. */
export interface Opened {
  readonly request?: ActionPageRequest
  readonly view?: PageView
  /** The link, for the audit record. */
  readonly link?: LinkContent
  /** The response of the option `signIn`. */
  readonly response?: Response
}

/** How much longer a form is accepted than its link, because the agent may still be typing. */
const FORM_EXTRA_MS = 600_000

/** Opens the link of a request, and identifies the agent. */
export async function openActionPage(
  request: PageRequest,
  setup: Setup,
  env: unknown,
  token: string,
  body: URLSearchParams | undefined,
): Promise<Opened> {
  const { c, actions, deadline, test, page } = request
  const nowMs = request.now()
  const opened = await openLink(token, setup.audience, setup.keys, nowMs)
  const definition = opened && actions.definitions.get(opened.link.name)
  if (opened === undefined) return {}
  if (definition === undefined) {
    return { view: page('expired', { text: actions.messages.removedText }) }
  }
  const { link, keys } = opened
  const entered = listEntered(definition.form, body)
  const end = (outcome: PageOutcome, changes: Partial<PageView> = {}): Opened => ({
    view: page(outcome, { entered, ...changes }),
    link,
  })
  const extraMs = body === undefined ? 0 : FORM_EXTRA_MS
  if (nowMs >= link.expiresAtSeconds * 1_000 + extraMs) return end('expired')

  const signIn = await identify(request, setup, env)
  if (!('agent' in signIn)) {
    const { error, response } = signIn
    if (body === undefined) {
      if (response !== undefined) return { view: page(outcomeOf(response)), response }
      return end('forbidden', explainDenial(error, actions.messages))
    }
    // The agent signs in again in another tab, so this page keeps what they entered.
    const { path } = setup
    const [formToken, seen] = [body.get('form') ?? '', body.get('seen') ?? '']
    const resend = { path, token, formToken, seen, label: definition.label }
    const { text = actions.messages.signInExpired } = explainDenial(error, actions.messages)
    return end('forbidden', { text, error, again: linkTo(path, token), resend })
  }
  const { agent } = signIn
  try {
    const receipts = await openReceipts(actions.receipts, c, env, deadline)
    // Tests can set the clock, and a restart in development would make every open link expire.
    const isExact = test === undefined && !isDevelopment(c)
    const sinceMs = isExact ? await callStore(() => receipts.since?.()) : 0
    if (link.issuedAtMs < (sinceMs ?? 0)) return end('expired')
    const signedIn = { ...request, setup, link, token, keys, definition, receipts, agent }
    return await authorizeRequest(signedIn, env).then(
      (authorized) => ({ request: authorized, link }),
      // An action may no longer accept the input of a link from before a deployment.
      (error: unknown) => end(error instanceof InputError ? 'expired' : 'failed', { error }),
    )
  } catch (error) {
    return end('failed', { status: 503, error })
  }
}
