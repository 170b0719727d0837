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
import { OUTCOMES } from './outcomes.ts'
import type { FormTarget, FormView, PageView } from './page-view.ts'

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

/** Renders the page. All texts are escaped, and it has no script. */
export function renderPage(view: PageView, frame: PageFrame): string {
  const { messages, appName, label } = frame
  const { heading, text, outcome, components = [], form, sentence, notice, resend, resolve } = view
  const { tone } = OUTCOMES[outcome]
  const above = label === undefined || label === heading ? appName : label
  const isAlert = (form ?? resend) !== undefined && text !== undefined
  const message =
    text === undefined
      ? ''
      : `<p class="message ${tone}"${isAlert ? ' role="alert"' : ''}>${escapeHtml(text)}</p>`
  // After a success, its result comes first.
  const isResult = outcome === 'done' || outcome === 'already_done'
  const parts = [
    `<p class="above">${escapeHtml(above)}</p>`,
    `<h1 class="${tone}">${escapeHtml(heading)}</h1>`,
    sentence === undefined ? '' : `<p class="sentence">${escapeHtml(sentence)}</p>`,
    isResult ? '' : message,
    components.length === 0 ? '' : renderComponents(components, frame.timeZone),
    isResult ? message : '',
    notice === undefined ? '' : `<p class="notice">${escapeHtml(notice)}</p>`,
    form === undefined ? '' : renderForm(form, messages),
    renderEntered(view, messages),
    resolve === undefined ? '' : renderResolve(resolve, messages),
    renderFoot(view, frame),
  ]
  return htmlDocument({
    lang: messages.lang,
    direction: directionOf(messages.lang),
    // The tab says which action it is.
    title: above === appName ? heading : `${heading} – ${above}`,
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
  { showsTraceId = false, facts = [], traceId, again, resend, signOut }: PageView,
  { messages, agent, traceId: ownTraceId }: PageFrame,
): string {
  const lines = [
    ...facts.map(escapeHtml),
    again === undefined || resend !== undefined
      ? ''
      : `<a href="${escapeHtml(again)}">${escapeHtml(messages.openAgain)}</a>`,
    agent === undefined ? '' : escapeHtml(messages.signedInAs(agent)),
    showsTraceId
      ? `${escapeHtml(messages.traceId)} <code>${escapeHtml(traceId ?? ownTraceId)}</code>`
      : '',
  ].filter((line) => line !== '')
  const button =
    signOut === undefined
      ? ''
      : `\n<form method="post" action="${escapeHtml(signOut)}" class="sign-out">
<button type="submit" class="second">${escapeHtml(messages.signOut)}</button>
</form>`
  return lines.map((line) => `<p class="quiet">${line}</p>`).join('\n') + button
}

/** The entered values, to copy them, or to send them again after a sign-in. */
function renderEntered(
  { entered = [], resend, again = '' }: PageView,
  messages: ActionMessages,
): string {
  const rows = entered.map(
    ([, label, text]) => `<dt>${escapeHtml(label)}</dt><dd dir="auto">${escapeHtml(text)}</dd>`,
  )
  const list =
    rows.length === 0
      ? ''
      : `<section class="entered"><p class="quiet">${escapeHtml(messages.entered)}</p>
<dl>${rows.join('')}</dl></section>`
  if (resend === undefined) return list
  const hidden = entered.map(([name, , text]) => renderHidden(FIELD_PREFIX + name, text))
  return `<p><a href="${escapeHtml(again)}" target="_blank" rel="noopener">${escapeHtml(messages.signIn)}</a></p>
${list}
${renderTarget(resend)}
${hidden.join('\n')}
<button type="submit">${escapeHtml(messages.confirm)}</button>
</form>`
}

function renderResolve(
  target: FormTarget,
  { resolve, wasDone, wasNotDone }: ActionMessages,
): string {
  return `${renderTarget(target)}
<p class="quiet">${escapeHtml(resolve)}</p>
<button type="submit" name="resolve" value="done" class="second">${escapeHtml(wasDone)}</button>
<button type="submit" name="resolve" value="not_done" class="second">${escapeHtml(wasNotDone)}</button>
</form>`
}

function renderTarget({ path, token, formToken, seen }: FormTarget): string {
  return `<form method="post" action="${escapeHtml(path)}">
${renderHidden('t', token)}
${renderHidden('form', formToken)}
${renderHidden('seen', seen)}`
}

function renderHidden(name: string, value: string): string {
  return `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`
}

function renderForm(form: FormView, messages: ActionMessages): string {
  const { fields, problems, entered, mustCheck } = form
  const [firstProblem] = problems.keys()
  const rows = Object.entries(fields).map(([name, { view }]) => {
    const shown = entered.get(name) ?? view.initial
    return renderField(name, view, shown, problems.get(name), name === firstProblem, messages)
  })
  // The Back button restores fields, but no tick: it is about the receipt above, which may be newer.
  const check = mustCheck
    ? `<div class="field"><label class="tick"><input type="checkbox" name="checked" value="on" required autocomplete="off"> ${escapeHtml(messages.checked)}</label></div>\n`
    : ''
  return `${renderTarget(form)}
${rows.join('\n')}
${check}<button type="submit">${escapeHtml(messages.confirm)}</button>
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
  const described = [
    problem === undefined ? '' : `${id}-problem`,
    view.hint === undefined ? '' : `${id}-hint`,
  ].filter((part) => part !== '')
  const attributes = [
    `id="${id}" name="${id}"`,
    view.optional ? '' : 'required',
    problem === undefined ? '' : 'aria-invalid="true"',
    described.length === 0 ? '' : `aria-describedby="${described.join(' ')}"`,
    isFocused ? 'autofocus' : '',
  ]
    .filter((attribute) => attribute !== '')
    .join(' ')
  const error =
    problem === undefined
      ? ''
      : `\n<p class="problem" id="${id}-problem">${escapeHtml(problem)}</p>`
  const hint =
    view.hint === undefined ? '' : `\n<p class="quiet" id="${id}-hint">${escapeHtml(view.hint)}</p>`
  if (view.control === 'checkbox') {
    const checked = entered === '' ? '' : ' checked'
    return `<div class="field">
<label class="tick"><input type="checkbox" ${attributes} value="on"${checked}> ${escapeHtml(view.label)}</label>${hint}${error}
</div>`
  }
  const mark = view.optional ? ` <span class="quiet">(${escapeHtml(messages.optional)})</span>` : ''
  return `<div class="field">
<label for="${id}">${escapeHtml(view.label)}${mark}</label>
${renderControl(view, attributes, entered, messages)}${hint}${error}
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
      return `<input type="text" dir="auto" ${attributes} maxlength="${maxLength}" value="${value}">`
    case 'multiline':
      // The parser drops a line break at the start.
      return `<textarea dir="auto" rows="4" ${attributes} maxlength="${maxLength}">\n${value}</textarea>`
    case 'number':
    case 'date': {
      const range = [
        min === undefined ? '' : ` min="${min}"`,
        max === undefined ? '' : ` max="${max}"`,
        step === undefined ? '' : ` step="${step}"`,
      ]
      return `<input type="${control}" ${attributes}${range.join('')} value="${value}">`
    }
    case 'select': {
      const options = [['', choose] as const, ...choices].map(
        ([choice, label]) =>
          `<option value="${escapeHtml(choice)}"${choice === entered ? ' selected' : ''}>${escapeHtml(label)}</option>`,
      )
      return `<select ${attributes}>${options.join('')}</select>`
    }
    case 'checkbox':
      // Its label is next to it.
      return ''
    default:
      return control satisfies never
  }
}
