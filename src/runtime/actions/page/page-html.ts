// `html` has another name here, because the formatter would move the spaces in its templates.
import { html as markup, raw } from 'hono/html'
import { SCHEMA_VERSION } from '../../contract/version.ts'
import { replaceForbidden } from '../../render/escape-html.ts'
import { htmlDocument } from '../../render/html-page.ts'
import { WIDGET_STYLE } from '../../render/html-style.ts'
import { renderHtmlWidget } from '../../render/render-html.ts'
import type { FieldView } from '../fields/fields.ts'
import { FIELD_PREFIX } from './form-body.ts'
import { type ActionMessages, directionOf } from '../messages.ts'
import { ACTION_STYLE } from './page-style.ts'
import {
  type FormTarget,
  type FormView,
  OUTCOMES,
  type PageView,
  type ReviewView,
} from './page-view.ts'

/** Markup. Values in its template are escaped, and `false` or absent ones are left out. */
type Markup = ReturnType<typeof markup>

/** The parts of a page that do not depend on the outcome of the request. */
interface PageFrame {
  readonly messages: ActionMessages
  readonly timeZone: string
  readonly appName: string
  /** The label of the action, if the link is valid. */
  readonly label: string | undefined
  readonly agent: string | undefined
  /** The path to which the form that signs out is sent. */
  readonly signOut: string | undefined
  readonly traceId: string
}

/** Renders the page. All texts are escaped, and the page contains no script. */
export async function renderPage(view: PageView, frame: PageFrame): Promise<string> {
  const { messages, appName, label, timeZone } = frame
  const { heading, text, outcome, components = [], form, review, sentence, notice, resolve } = view
  const { tone } = OUTCOMES[outcome]
  const above = label === undefined || label === heading ? appName : label
  const isAlert = (form ?? review ?? view.resend) !== undefined
  const role = isAlert && markup` role="alert"`
  const message = text !== undefined && markup`<p class="message ${tone}"${role}>${text}</p>\n`
  const widget = { version: SCHEMA_VERSION, header: {}, components: [...components] }
  const shown = components.length > 0 && raw(renderHtmlWidget(widget, { timeZone }))
  // After a success, the result is shown before the message.
  const isResult = outcome === 'done' || outcome === 'already_done'
  const body = await markup`<main>
<p class="above">${above}</p>
<h1 class="${tone}">${heading}</h1>
${sentence !== undefined && markup`<p class="sentence">${sentence}</p>\n`}${isResult ? [shown, message] : [message, shown]}
${notice !== undefined && markup`<p class="notice">${notice}</p>\n`}${form && renderForm(form, messages)}${review && renderReview(review, messages)}
${renderEntered(view, messages)}
${resolve && renderResolve(resolve, messages)}
${renderFoot(view, frame)}
</main>`
  return htmlDocument({
    lang: messages.lang,
    direction: directionOf(messages.lang),
    title: above === appName ? heading : `${heading} – ${above}`,
    head: '<meta name="robots" content="noindex">',
    styles: [WIDGET_STYLE, ACTION_STYLE],
    body: replaceForbidden(String(body)),
  })
}

function renderFoot(view: PageView, frame: PageFrame): Markup {
  const { messages, agent, signOut } = frame
  const { showsTraceId = false, facts = [], traceId = frame.traceId, again, resend } = view
  const isLinked = again !== undefined && resend === undefined
  const lines = [
    ...facts,
    isLinked && markup`<a href="${again}">${messages.openAgain}</a>`,
    agent !== undefined && messages.signedInAs(agent),
    showsTraceId && markup`${messages.traceId} <code>${traceId}</code>`,
  ].filter((line) => line !== false)
  return markup`${lines.map((line) => markup`<p class="quiet">${line}</p>\n`)}${
    signOut !== undefined &&
    markup`<form method="post" action="${signOut}" class="sign-out">
<button type="submit" class="second">${messages.signOut}</button>
</form>`
  }`
}

/** Shows the entered values, to copy them, or to send them again after a sign-in. */
function renderEntered(view: PageView, messages: ActionMessages): Markup {
  const { resend, again } = view
  const entered = (view.entered ?? []).filter(([, , text]) => text.trim() !== '')
  const rows = renderRows(entered.map(([, label, text]) => [label, text]))
  const list =
    entered.length > 0 &&
    markup`<section class="entered"><p class="quiet">${messages.entered}</p>
${rows}</section>`
  if (resend === undefined) return markup`${list}`
  return markup`<p><a href="${again}" target="_blank" rel="noopener">${messages.signIn}</a></p>
${list}
${renderTarget(resend, entered)}
<button type="submit">${resend.label}</button>
</form>`
}

function renderRows(rows: ReviewView['rows']): Markup {
  const items = rows.map(([label, text]) => markup`<dt>${label}</dt><dd dir="auto">${text}</dd>`)
  return markup`<dl>${items}</dl>`
}

/** The buttons stand apart, so that the second click of a double click does not confirm. */
function renderReview(review: ReviewView, { change }: ActionMessages): Markup {
  return markup`${renderRows(review.rows)}
${renderTarget(review, review.entered)}${renderHidden('review', review.reviewToken)}
<div class="pair"><button type="submit" name="change" value="1" class="second">${change}</button>
<button type="submit">${review.label}</button></div>
</form>`
}

function renderResolve(
  target: NonNullable<PageView['resolve']>,
  { resolve, wasDone, wasNotDone }: ActionMessages,
): Markup {
  const texts = { done: wasDone, not_done: wasNotDone }
  const buttons = target.answers.map(
    (answer) =>
      markup`<button type="submit" name="resolve" value="${answer}" class="second">${texts[answer]}</button>\n`,
  )
  return markup`${renderTarget(target)}
<p class="quiet">${resolve}</p>
${buttons}</form>`
}

/** Begins a form, with the entered values as hidden fields. */
function renderTarget(target: FormTarget, entered: ReviewView['entered'] = []): Markup {
  const { path, token, formToken, seen } = target
  return markup`<form method="post" action="${path}">
${renderHidden('t', token)}${renderHidden('form', formToken)}${renderHidden('seen', seen)}
${entered.map(([name, , text]) => renderHidden(FIELD_PREFIX + name, text))}`
}

function renderHidden(name: string, value: string): Markup {
  return markup`<input type="hidden" name="${name}" value="${value}">\n`
}

function renderForm(form: FormView, messages: ActionMessages): Markup {
  return markup`${renderTarget(form)}
${Object.keys(form.fields).map((name) => renderField(name, form, messages))}
<button type="submit">${form.hasReview ? messages.review : form.label}</button>
</form>`
}

function renderField(
  name: string,
  { fields, entered, problems }: FormView,
  messages: ActionMessages,
): Markup {
  const { view } = fields[name]!
  const { label, hint } = view
  const id = FIELD_PREFIX + name
  const problem = problems.get(name)
  const [, , text = view.initial] = entered.find(([of]) => of === name) ?? []
  const [firstProblem] = problems.keys()
  const notes = [
    hint !== undefined && markup`<p class="quiet" id="${id}-hint">${hint}</p>\n`,
    problem !== undefined && markup`<p class="problem" id="${id}-problem">${problem}</p>\n`,
  ]
  const described = [problem !== undefined && `${id}-problem`, hint !== undefined && `${id}-hint`]
    .filter((part) => part !== false)
    .join(' ')
  const attributes = [
    markup` id="${id}" name="${id}"`,
    !view.optional && markup` required`,
    problem !== undefined && markup` aria-invalid="true"`,
    described !== '' && markup` aria-describedby="${described}"`,
    name === firstProblem && markup` autofocus`,
  ]
  const control = renderControl(view, attributes, text, messages)
  const suffix = view.optional && markup` <span class="quiet">(${messages.optional})</span>`
  const labeled =
    view.control === 'checkbox'
      ? markup`<label class="tick">${control} ${label}</label>`
      : markup`<label for="${id}">${label}${suffix}</label>\n${control}`
  return markup`<div class="field">
${labeled}
${notes}</div>\n`
}

function renderControl(
  { control, choices = [], ...limits }: FieldView,
  attributes: ReadonlyArray<Markup | false>,
  value: string,
  { choose }: ActionMessages,
): Markup {
  const range = (['maxLength', 'min', 'max'] as const).map(
    (name) => limits[name] !== undefined && markup` ${name.toLowerCase()}="${limits[name]}"`,
  )
  switch (control) {
    case 'multiline':
      // The HTML parser drops the first line break, so one is added.
      return markup`<textarea dir="auto" autocomplete="off" rows="4"${attributes}${range}>\n${value}</textarea>`
    case 'select': {
      const options = [['', choose] as const, ...choices].map(
        ([choice, label]) =>
          markup`<option value="${choice}"${choice === value && markup` selected`}>${label}</option>`,
      )
      return markup`<select${attributes}>${options}</select>`
    }
    case 'checkbox':
      return markup`<input type="checkbox"${attributes} value="on"${value !== '' && markup` checked`}>`
    case 'decimal':
      // A number control drops a comma, so that `10,50` becomes 1050.
      return markup`<input type="text" inputmode="decimal" autocomplete="off" dir="auto"${attributes} value="${value}">`
    default: {
      const direction = control === 'text' && markup` dir="auto" autocomplete="off"`
      return markup`<input type="${control}"${direction}${attributes}${range} value="${value}">`
    }
  }
}
