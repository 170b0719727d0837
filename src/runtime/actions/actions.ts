import type { Context } from 'hono'
import type { Actions } from '../app/action-support.ts'
import type { RequestContext } from '../app/request/request-context.ts'
import type { ResolvedOptions } from '../app/resolve-options.ts'
import type { Button } from '../contract/generated/types.ts'
import type { Validation } from '../contract/validation.ts'
import { readProperty } from '../internal/hostile-values.ts'
import { invalidOption } from '../internal/read-options.ts'
import { SETUP_PROBLEMS, type SetupProblems } from '../internal/setup.ts'
import { Deadline } from '../internal/user-code.ts'
import {
  ACTION,
  ACTION_SCHEME,
  type ButtonTarget,
  createButtonUrl,
  hasButtons,
  linkJson,
  parseButtons,
} from './links/buttons.ts'
import { orderShown } from './links/link.ts'
import { createSetupReader, isPagePath, PAGE_PATH, type SetupReader } from './links/setup.ts'
import { handlePage } from './page/page.ts'
import { openReceipts } from './receipts/store.ts'
import { type ActionsOptions, type ResolvedActions, resolveActions } from './run/options.ts'

/**
 * Creates the value of the option `actions` of `sidecard()`: the actions of an
 * app, with a page at `/actions` below its URL.
 *
 * @throws {SidecardError} `invalid_options` with the option and what is expected
 * @see docs/guides/actions.md
 * @example
 * actions: actions<Env>({
 *   list: [extendTrial],
 *   publicUrl: (env) => env.PUBLIC_URL,
 *   secret: { binding: 'SIDECARD_ACTION_SECRET' },
 *   signIn: cloudflareAccess({ team: 'acme', audience: '8f3c0a' }),
 *   receipts: (env) => d1Receipts(env.DB),
 * })
 */
export function actions<B>(options: ActionsOptions<B>): Actions<B> {
  const resolved = resolveActions(options)
  // Several apps can mount the same actions, so each app has its own reader.
  const readers = new WeakMap<ResolvedOptions, SetupReader>()
  return {
    mount(app, mounted) {
      const appOptions = mounted as ResolvedOptions
      if (appOptions.uriSchemes.includes(SCHEME)) {
        throw invalidOption('sidecard', 'uriSchemes', `a list without ${SCHEME}`)
      }
      const reader = createSetupReader(resolved, appOptions.name)
      readers.set(appOptions, reader)
      const page = { app: appOptions, actions: resolved, reader }
      const listProblems: SetupProblems = async (rawEnv) => {
        const deadline = new Deadline(appOptions.timeoutMs)
        try {
          const { env } = await appOptions.readBindings(rawEnv, deadline)
          return await reader.listProblems(env, rawEnv)
        } finally {
          deadline.clear()
        }
      }
      if (resolved.requireAudit && !appOptions.instruments.some((one) => 'onAction' in one)) {
        const expected = 'false, unless the option instrument of sidecard() has an audit()'
        throw invalidOption('actions', 'requireAudit', expected)
      }
      const handle = (c: Context) => (isPagePath(c) ? handlePage(c, page) : c.notFound())
      app.all(PAGE_PATH, Object.assign(handle, { [SETUP_PROBLEMS]: listProblems }))
    },
    copy: (component, validation) => copyButton(component, validation, resolved),
    parse: parseButtons,
    link: async (outcome, context) => {
      const ctx = context as RequestContext
      const reader = readers.get(ctx.app)
      if (reader === undefined || !hasButtons(outcome.json)) return outcome
      // The store may treat a link that is older than itself as expired, so it is opened before
      // the first link. If this fails, the page reports it.
      const opening = openReceipts(resolved.receipts, ctx.c, ctx.env, ctx.deadline)
      ctx.waitUntil(opening.catch(() => undefined))
      const shown = orderShown(ctx.shown)
      const json = await linkJson(outcome.json, ctx, reader, resolved.expiresSeconds, shown)
      return { ...outcome, json }
    },
  }
}

const SCHEME = ACTION_SCHEME.slice(0, -1)

/** Copies a button of an action, with the URL that stands for its link. */
function copyButton(
  component: object,
  validation: Validation,
  { definitions }: ResolvedActions,
): Button | null | undefined {
  const { type, label, button_type, url } = component as Readonly<Record<string, unknown>>
  if (typeof url !== 'string' || !url.startsWith(ACTION_SCHEME)) return undefined
  const target = readProperty(component, ACTION) as ButtonTarget | undefined
  const reject = (message: string, fix: string) => {
    validation.report('invalid_uri_scheme', 'url', message, fix)
    return null
  }
  if (target === undefined || url !== ACTION_SCHEME + target.name) {
    const fix = 'Return the button itself: a JSON copy has lost its input.'
    return reject('was not created by button() of an action', fix)
  }
  if (!definitions.has(target.name)) {
    const fix = 'Add the action to the list of actions().'
    return reject('belongs to an action of another app', fix)
  }
  const isButton =
    type === 'button' &&
    typeof label === 'string' &&
    button_type === 'link' &&
    Object.keys(component).length === 4
  if (!isButton) return undefined
  return { type, label, button_type, url: createButtonUrl(target) }
}
