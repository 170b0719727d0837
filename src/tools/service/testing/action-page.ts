import type { Component, Payload } from '../../../runtime/contract/index.ts'
import { isActionLink } from '../../internal/action-link.ts'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import { OUTCOME_HEADER } from '../../../runtime/internal/headers.ts'
import { unescapeHtml } from '../../../runtime/render/escape-html.ts'

/** The result of a confirmation. */
export type ActionOutcome =
  | 'done'
  | 'already_done'
  | 'in_progress'
  | 'invalid'
  | 'refused'
  | 'expired'
  | 'forbidden'
  | 'failed'
  | 'unknown'

/** The page of an action, as the agent sees it. */
export interface OpenedAction {
  readonly status: number
  /** The heading: the label of the action if it has a form. */
  readonly title: string
  /** The text of the page, without its form: one line per text or component. */
  readonly text: string
  /** The fields with their initial values; `undefined` if the action cannot be confirmed. */
  readonly form: Readonly<Record<string, string>> | undefined
  /**
   * Confirms the action with these values, and confirms its review. The other fields
   * keep their initial values. A checked box is `true`.
   *
   * @throws {SidecardError} `invalid_options` if the page has no form, or the form
   * lacks a field
   */
  confirm(values?: Readonly<Record<string, string | number | boolean>>): Promise<ConfirmedAction>
}

/** The page after a confirmation. */
export interface ConfirmedAction {
  readonly status: number
  readonly outcome: ActionOutcome
  /** The text of the page. */
  readonly text: string
  /** The sentence that said what would happen; `undefined` without one. */
  readonly summary: string | undefined
}

/** Sends a request to the page: GET, or POST if there is a body. */
export type SendToPage = (link: string, body?: URLSearchParams) => Promise<Response>

/**
 * Finds the link of an action in the payload that was opened last.
 *
 * @throws {SidecardError} `invalid_options` unless exactly one button matches
 */
export function findActionLink(payload: Payload | undefined, button: unknown): string {
  const url = (button as { readonly url?: unknown } | null)?.url
  if (typeof url === 'string') {
    if (isActionLink(url)) return url
    throw invalid('the button has no link of an action: pass a button from the payload')
  }
  if (typeof button !== 'string') throw invalid('pass the label of a button, or a button')
  if (payload === undefined) throw invalid('call openIssue() first, which returns the buttons')
  const found = listButtons(payload.components).filter(({ label }) => label === button)
  const [link, another] = found.filter((each) => isActionLink(each.url))
  if (another !== undefined) {
    const problem = 'several buttons have this label: pass one of them'
    throw invalid(`${problem}, such as openAction(${another.path})`)
  }
  if (link !== undefined) return link.url
  if (found.length > 0)
    throw invalid('the action of this button is not available: the log says why')
  const labels = listButtons(payload.components)
    .filter((each) => isActionLink(each.url))
    .map(({ label }) => JSON.stringify(label))
  const hint = labels.length === 0 ? 'It has no action' : `Its actions are ${labels.join(', ')}`
  throw invalid(`the issue that was opened last has no button with this label. ${hint}`)
}

function invalid(problem: string): SidecardError {
  return new SidecardError('invalid_options', `openAction: ${problem}.`)
}

type Found = Extract<Component, { type: 'button' }> & { readonly path: string }

/** Lists the buttons of a payload, with their paths. */
export function listButtons(list: readonly Component[], parent = 'payload'): readonly Found[] {
  return list.flatMap((component, index) => {
    const path = `${parent}.components[${index}]`
    if (component.type === 'card') return listButtons(component.components, path)
    return component.type === 'button' ? [{ ...component, path }] : []
  })
}

/** Opens the page of a link. */
export async function openActionPage(link: string, send: SendToPage): Promise<OpenedAction> {
  const response = await send(link)
  const html = await response.text()
  let hidden = readHidden(html)
  const form = hidden && readFields(html)
  return {
    status: response.status,
    title: readTitle(html),
    text: readText(html),
    form,
    async confirm(values = {}) {
      if (form === undefined) throw invalid(`the page has no form: "${readTitle(html)}"`)
      const unknown = Object.keys(values).find((name) => !Object.hasOwn(form, name))
      if (unknown !== undefined) {
        throw invalid(
          `the form has no field ${unknown}. Its fields are ${Object.keys(form).join(', ')}`,
        )
      }
      const body = new URLSearchParams(hidden)
      for (const [name, value] of Object.entries({ ...form, ...values })) {
        // Browsers do not send an unchecked checkbox. A field rejects 1.234, which is ambiguous.
        const text = typeof value === 'number' ? String(value).replace(/\.\d{3}$/, '$&0') : value
        if (text !== false) body.set(PREFIX + name, text === true ? 'on' : text)
      }
      let result = await send(link, body)
      let shown = await result.text()
      let summary = readSummary(shown)
      if (result.headers.get(OUTCOME_HEADER) === 'review') {
        result = await send(link, new URLSearchParams(readHidden(shown)))
        shown = await result.text()
        summary = readSummary(shown) ?? summary
      }
      const outcome = result.headers.get(OUTCOME_HEADER) as ActionOutcome
      // The agent confirms again on the page that they now see.
      hidden = readHidden(shown) ?? hidden
      return { status: result.status, outcome, text: readText(shown), summary }
    },
  }
}

// `sidecard/actions` writes this HTML, so simple patterns can read it.

const PREFIX = 'field-'

function readHidden(html: string): Record<string, string> | undefined {
  // Below an unknown receipt, the page has a second form to state the outcome.
  const form = Array.from(html.matchAll(/<form [^]*?<\/form>/g), ([text]) => text).find(
    (text) => !text.includes('name="resolve"'),
  )
  const inputs = (form ?? '').matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  const hidden = Array.from(inputs, ([, name = '', value = '']) => [name, unescapeHtml(value)])
  return hidden.length === 0 ? undefined : (Object.fromEntries(hidden) as Record<string, string>)
}

function readFields(html: string): Record<string, string> {
  const fields = html.matchAll(
    /<(?:input|textarea|select) [^>]*?name="field-([^"]*)"[^>]*?(?: value="([^"]*)"[^>]*)?>(?:([^<]*)<\/textarea>|((?:<option[^>]*>[^<]*<\/option>)*))/g,
  )
  return Object.fromEntries(
    Array.from(fields, ([tag, name = '', value, area, options = '']) => {
      if (tag.startsWith('<input type="checkbox"')) return [name, / checked>/.test(tag) ? 'on' : '']
      const selected = /<option value="([^"]*)" selected>/.exec(options)?.[1]
      return [name, unescapeHtml(value ?? area?.replace(/^\n/, '') ?? selected ?? '')]
    }),
  )
}

function readSummary(html: string): string | undefined {
  const text = /<p class="sentence">([^<]*)</.exec(html)?.[1]
  return text && unescapeHtml(text)
}

function readTitle(html: string): string {
  return unescapeHtml(/<h1[^>]*>([^<]*)</.exec(html)?.[1] ?? '')
}

function readText(html: string): string {
  const main = /<main>([^]*)<\/main>/.exec(html)?.[1] ?? html
  const problems = Array.from(
    main.matchAll(/<label[^>]*>([^<]*)[^]*?<p class="problem"[^>]*>([^<]*)/g),
    ([, label = '', problem = '']) => `${label.trim()}: ${problem}`,
  )
  const lines = main
    .replace(/<p class="above">[^]*?<\/p>/, '')
    .replace(/<form [^]*<\/form>/, '')
    .replaceAll('</span></div><div>', ': ')
    .replaceAll(/<\/(?:p|h1|h3|div|section|a)>|<hr>/g, '\n')
    .replaceAll('</li><li', '</li>, <li')
    .replaceAll(/<[^>]*>/g, '')
    .split('\n')
  return unescapeHtml(
    [...lines, ...problems]
      .map((line) => line.trim())
      .filter(Boolean)
      .join('\n'),
  )
}
