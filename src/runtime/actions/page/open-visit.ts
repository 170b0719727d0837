import { runUserCode } from '../../internal/user-code.ts'
import { identifyAction } from '../run/action-key.ts'
import { listEntered } from './form-body.ts'
import { describeInputIssue } from '../run/input.ts'
import type { PageOutcome, PageView } from './page-view.ts'
import { isDevelopment, type Setup } from '../links/setup.ts'
import { identify, linkTo, outcomeOf } from './sign-in.ts'
import { explainDenial } from '../sign-in/denial-error.ts'
import { callStore, openReceipts } from '../receipts/store.ts'
import { type LinkContent, openLink } from '../links/token.ts'
import { ActionRequest, type Request, type Visit } from '../run/visit.ts'

/** An open visit, or the page that ends the request early. */
export interface Opened {
  readonly visit?: Visit
  readonly view?: PageView
  /** The link, for the audit record. */
  readonly link?: LinkContent
  /** The response of the option `signIn`. */
  readonly response?: Response
}

/** How much longer a form is accepted than its link, because the agent may still be typing. */
const FORM_EXTRA_MS = 600_000

/** Opens the link of a request, and identifies the agent. */
export async function openVisit(
  request: Request,
  setup: Setup,
  env: unknown,
  token: string,
  body: URLSearchParams | undefined,
): Promise<Opened> {
  const { c, actions, deadline, test } = request
  const nowMs = request.now()
  const opened = await openLink(token, setup.audience, setup.keys, nowMs)
  const definition = opened && actions.definitions.get(opened.link.name)
  if (opened === undefined) return {}
  if (definition === undefined) {
    return { view: request.page('expired', { text: actions.messages.removedText }) }
  }
  const { link, keys } = opened
  const entered = listEntered(definition.form, body)
  const end = (outcome: PageOutcome, changes: Partial<PageView> = {}): Opened => ({
    view: request.page(outcome, { entered, ...changes }),
    link,
  })
  const extraMs = body === undefined ? 0 : FORM_EXTRA_MS
  if (nowMs >= link.expiresAtSeconds * 1_000 + extraMs) return end('expired')

  const signIn = await identify(request, setup, env)
  if (!('agent' in signIn)) {
    const { error, response } = signIn
    if (body === undefined) {
      if (response !== undefined) return { view: request.page(outcomeOf(response)), response }
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
    const receipts = await openReceipts(actions, c, env, deadline)
    // Tests can set the clock, and a restart in development would make every open link expire.
    const isExact = test === undefined && !isDevelopment(c)
    const sinceMs = isExact ? await callStore(() => receipts.since?.()) : 0
    if (link.issuedAtMs < (sinceMs ?? 0)) return end('expired')
    const part = { ...request, setup, link, token, keys, definition, env, receipts, agent }
    return await begin(part).catch((problem: unknown) =>
      // An action may no longer accept the input of a link from before a deployment.
      end(problem instanceof InputError ? 'expired' : 'failed', { error: problem }),
    )
  } catch (problem) {
    return end('failed', { status: 503, error: problem })
  }
}

async function begin(part: Omit<Visit, 'input' | 'actionKey' | 'linkId' | 'ctx'>): Promise<Opened> {
  const input = await validateInput(part, part.link.input)
  const ctx = new ActionRequest(part, part.deadline)
  return { visit: { ...part, input, ctx, ...(await identifyAction({ ...part, input })) } }
}

class InputError extends TypeError {}

/** Parses the JSON of an input. @throws {InputError} if the schema rejects it */
export async function validateInput(
  { definition, deadline }: Pick<Visit, 'definition' | 'deadline'>,
  json: string,
): Promise<unknown> {
  const { validate } = definition.input['~standard']
  const result = await runUserCode(() => validate(JSON.parse(json)), deadline)
  if (result.issues === undefined) return result.value
  const [issue] = result.issues
  throw new InputError(`The input of the link ${issue ? describeInputIssue(issue) : 'is invalid'}.`)
}
