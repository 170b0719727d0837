import type { Component } from '../contract/generated/types.ts'
import { SCHEMA_VERSION } from '../contract/version.ts'
import { escapeHtml } from '../render/escape-html.ts'
import { htmlDocument } from '../render/html-page.ts'
import { WIDGET_STYLE } from '../render/html-style.ts'
import { renderHtmlWidget } from '../render/render-html.ts'
import type { FieldView } from './fields.ts'
import { FIELD_PREFIX } from './form-body.ts'
import { type ActionMessages, directionOf } from './messages.ts'
import { ACTION_STYLE } from './page-style.ts'
import type { FormView, PageOutcome, PageView } from './page-view.ts'

export { ACTION_STYLE } from './page-style.ts'

/** The parts of a page that do not depend on what became of the request. */
interface PageFrame {
  readonly messages: ActionMessages
  readonly timeZone: string
  readonly appName: string
  /** The label of the action, if the link is valid. */
  readonly label: string | undefined
  readonly agent: string | undefined
  readonly traceId: string
}

const TONES: Readonly<Record<PageOutcome, 'good' | 'caution' | 'bad' | 'plain'>> = {
  shown: 'plain',
  done: 'good',
  already_done: 'good',
  in_progress: 'caution',
  invalid: 'bad',
  refused: 'caution',
  expired: 'caution',
  forbidden: 'bad',
  not_found: 'plain',
  failed: 'bad',
  unknown: 'bad',
}

/** Renders the page. All texts are escaped, and it has no script. */
export function renderPage(view: PageView, frame: PageFrame): string {
  const { messages, appName, label } = frame
  const { heading, text, outcome, components = [], form, lastDone } = view
  const above = label === undefined || label === heading ? appName : label
  const isAlert = form !== undefined && text !== undefined
  const message =
    text === undefined
      ? ''
      : `<p class="message ${TONES[outcome]}"${isAlert ? ' role="alert"' : ''}>${escapeHtml(text)}</p>`
  // After a success, its result comes first.
  const isResult = outcome === 'done'
  const parts = [
    `<p class="above">${escapeHtml(above)}</p>`,
    `<h1 class="${TONES[outcome]}">${escapeHtml(heading)}</h1>`,
    isResult ? '' : message,
    components.length === 0 ? '' : renderComponents(components, frame.timeZone),
    isResult ? message : '',
    lastDone === undefined ? '' : `<p class="quiet">${escapeHtml(lastDone)}</p>`,
    form === undefined ? '' : renderForm(form, messages),
    renderFoot(view, frame),
  ]
  return htmlDocument({
    lang: messages.lang,
    direction: directionOf(messages.lang),
    title: heading,
    head: '<meta name="robots" content="noindex">',
    styles: [WIDGET_STYLE, ACTION_STYLE],
    body: `<main>\n${parts.filter((part) => part !== '').join('\n')}\n</main>`,
  })
}

function renderComponents(components: readonly Component[], timeZone: string): string {
  return renderHtmlWidget(
    { version: SCHEMA_VERSION, header: {}, components: [...components] },
    { timeZone },
  )
}

function renderFoot(
  { showsTraceId = false }: PageView,
  { messages, agent, traceId }: PageFrame,
): string {
  const lines = [
    agent === undefined ? '' : escapeHtml(messages.signedInAs(agent)),
    showsTraceId ? `${escapeHtml(messages.traceId)} <code>${traceId}</code>` : '',
  ].filter((line) => line !== '')
  return lines.map((line) => `<p class="quiet">${line}</p>`).join('\n')
}

function renderForm(form: FormView, messages: ActionMessages): string {
  const { fields, path, token, formToken, problems } = form
  const [firstProblem] = Object.keys(problems)
  const rows = Object.entries(fields).map(([name, { view }]) => {
    const entered = form.entered[name] ?? view.initial
    return renderField(name, view, entered, problems[name], name === firstProblem, messages)
  })
  return `<form method="post" action="${escapeHtml(path)}">
<input type="hidden" name="t" value="${escapeHtml(token)}">
<input type="hidden" name="form" value="${escapeHtml(formToken)}">
${rows.join('\n')}
<button type="submit">${escapeHtml(messages.confirm)}</button>
</form>`
}

function renderField(
  name: string,
  view: FieldView,
  entered: string,
  problem: string | undefined,
  isFocused: boolean,
  messages: ActionMessages,
): string {
  const id = escapeHtml(FIELD_PREFIX + name)
  const attributes = [
    `id="${id}" name="${id}"`,
    view.optional ? '' : 'required',
    problem === undefined ? '' : `aria-invalid="true" aria-describedby="${id}-problem"`,
    isFocused ? 'autofocus' : '',
  ]
    .filter((attribute) => attribute !== '')
    .join(' ')
  const mark = view.optional ? ` <span class="quiet">(${escapeHtml(messages.optional)})</span>` : ''
  const error =
    problem === undefined
      ? ''
      : `\n<p class="problem" id="${id}-problem">${escapeHtml(problem)}</p>`
  return `<div class="field">
<label for="${id}">${escapeHtml(view.label)}${mark}</label>
${renderControl(view, attributes, entered, messages)}${error}
</div>`
}

function renderControl(
  { control, maxLength, min, max, step, choices = [] }: FieldView,
  attributes: string,
  entered: string,
  { choose }: ActionMessages,
): string {
  const value = escapeHtml(entered)
  switch (control) {
    case 'text':
      return `<input type="text" dir="auto" ${attributes} maxlength="${maxLength}" value="${value}" autocomplete="off">`
    case 'multiline':
      // The parser drops a line break at the start.
      return `<textarea dir="auto" rows="4" ${attributes} maxlength="${maxLength}">\n${value}</textarea>`
    case 'number': {
      const range = [
        min === undefined ? '' : ` min="${min}"`,
        max === undefined ? '' : ` max="${max}"`,
      ]
      return `<input type="number" ${attributes}${range.join('')} step="${step}" value="${value}" autocomplete="off">`
    }
    case 'select': {
      const options = [['', choose] as const, ...choices].map(
        ([choice, label]) =>
          `<option value="${escapeHtml(choice)}"${choice === entered ? ' selected' : ''}>${escapeHtml(label)}</option>`,
      )
      return `<select ${attributes}>${options.join('')}</select>`
    }
    default:
      return control satisfies never
  }
}
