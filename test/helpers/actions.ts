import { unescapeHtml } from '../../src/runtime/render/escape-html.ts'
import { type DefaultBindings, noAuth, sidecard, type SidecardOptions, text } from 'sidecard'
import {
  action,
  type ActionsOptions,
  actions,
  type Agent,
  memoryReceipts,
  numberField,
  textField,
} from 'sidecard/actions'
import { z } from 'zod/mini'
import { ACTION_TEST } from '../../src/runtime/internal/action-test.ts'
import { FETCH_DATA } from './app.ts'

export const SECRET = 'an-action-secret-of-more-than-32-characters'
export const PUBLIC_URL = 'https://billing.example.com/sidebar'
export const AGENT: Agent = {
  id: 'agent-7',
  email: 'robin@acme.example',
  name: 'Robin',
  groups: [],
}

/** What the actions of a test have done. */
export interface Journal {
  readonly runs: Array<{ input: unknown; values: unknown; agent: Agent | undefined }>
}

/** Creates an action that records its runs. */
export function createExtendTrial(
  overrides: Record<string, unknown> = {},
  journal: Journal = { runs: [] },
) {
  const extendTrial = action()({
    name: 'extend-trial',
    label: 'Extend trial',
    input: z.object({ accountId: z.string() }),
    form: {
      days: numberField({ label: 'Days', min: 1, max: 30, value: 14 }),
      reason: textField({ label: 'Reason', maxLength: 500, multiline: true, optional: true }),
    },
    show: (_ctx, { accountId }) => [text({ label: 'Account', value: accountId })],
    run: (ctx, input, values) => {
      journal.runs.push({ input, values, agent: ctx.agent })
      return text({ label: 'Trial ends', value: `in ${values.days} days` })
    },
    ...(overrides as {}),
  })
  return Object.assign(extendTrial, { journal })
}

/** Creates an app whose sidebar has the button of an action. */
export function createActionApp(
  extendTrial = createExtendTrial(),
  options: Partial<ActionsOptions<DefaultBindings>> = {},
  appOptions: Partial<SidecardOptions> & { readonly name?: string } = {},
) {
  const app = sidecard({
    name: 'Billing',
    header: { title: 'Billing' },
    auth: noAuth(),
    logger: false,
    fetchData: (ctx) => [extendTrial.button({ accountId: ctx.params.account_id ?? 'none' })],
    actions: actions({
      list: [extendTrial],
      publicUrl: PUBLIC_URL,
      secret: SECRET,
      signIn: () => AGENT,
      receipts: memoryReceipts(),
      ...options,
    }),
    ...appOptions,
  })
  return Object.assign(app, { journal: extendTrial.journal })
}

type App = {
  request(path: string, init?: RequestInit, env?: object, ctx?: any): Response | Promise<Response>
}

/** Sends a request as the test service does, with the settings of a test. */
export async function send(
  app: App,
  path: string,
  init: RequestInit = {},
  env?: object,
  settings: { readonly detached?: boolean } = {},
) {
  const work: Promise<unknown>[] = []
  const response = await app.request(path, init, env, {
    waitUntil: (promise: Promise<unknown>) => void work.push(promise),
    passThroughOnException: () => undefined,
    props: { [ACTION_TEST]: settings },
  })
  while (work.length > 0 && settings.detached !== true) await Promise.allSettled(work.splice(0))
  return response
}

/** Opens the sidebar, and returns the URLs of its buttons. */
export async function readLinks(
  app: App,
  path: string = FETCH_DATA,
  env?: object,
  settings?: object,
): Promise<string[]> {
  const response = await send(app, path, {}, env, settings)
  const payload: any = await response.json()
  const components = payload.components.flatMap((one: any) => one.components ?? [one])
  return components.filter((one: any) => one.type === 'button').map((one: any) => one.url)
}

/** Returns the path of a link in an app that is not behind its proxy. */
export function localPath(link: string): string {
  return `/actions${new URL(link).search}`
}

/** Opens the page of a link. */
export async function openPage(
  app: App,
  link: string,
  init: RequestInit = {},
  env?: object,
  settings?: object,
) {
  const response = await send(app, localPath(link), init, env, settings)
  return readPage(response)
}

export async function readPage(response: Response) {
  const html = await response.text()
  return {
    response,
    html,
    status: response.status,
    outcome: response.headers.get('x-sidecard-outcome'),
    heading: /<h1[^>]*>([^<]*)</.exec(html)?.[1],
    t: /name="t" value="([^"]*)"/.exec(html)?.[1],
    form: /name="form" value="([^"]*)"/.exec(html)?.[1],
    seen: /name="seen" value="([^"]*)"/.exec(html)?.[1],
  }
}

type Page = Awaited<ReturnType<typeof readPage>>

/** Sends the form of a page, as a browser does. */
export async function confirmPage(
  app: App,
  page: Pick<Page, 't' | 'form'> & Partial<Pick<Page, 'seen'>>,
  values: Record<string, string> = { days: '7' },
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  env?: object,
  settings?: object,
) {
  // The buttons below an unknown receipt are no fields of the action.
  const own = (name: string) => (name === 'resolve' ? name : `field-${name}`)
  const fields = Object.entries(values).map(([name, value]) => [own(name), value])
  const hidden = { t: page.t ?? '', form: page.form ?? '', seen: page.seen ?? '' }
  const body = { ...hidden, ...Object.fromEntries(fields) }
  const reply = await postForm(app, body, headers, env, settings)
  return reply.outcome === 'review' ? confirmReview(app, reply, headers, env, settings) : reply
}

/** Confirms what a page reads back. */
export async function confirmReview(
  app: App,
  { html }: Pick<Page, 'html'>,
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  env?: object,
  settings?: object,
) {
  return postForm(app, readHidden(html), headers, env, settings)
}

/** Sends fields to the page, as a browser sends a form. */
export async function postForm(
  app: App,
  fields: Record<string, string>,
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  env?: object,
  settings?: object,
) {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = String(new URLSearchParams(fields))
  const init = { method: 'POST', headers: { ...type, ...headers }, body }
  return readPage(await send(app, '/actions', init, env, settings))
}

/** Returns the hidden fields of a page, which its button sends. */
export function readHidden(html: string): Record<string, string> {
  const found = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  return Object.fromEntries(
    Array.from(found, ([, name = '', value = '']) => [name, unescapeHtml(value)]),
  )
}
