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
import { type FieldsView, type FormView, OUTCOMES, type PageView } from './page-view.ts'

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
  const { heading, text, outcome, components = [], form, sentence, notice, rows, signIn } = view
  const { tone } = OUTCOMES[outcome]
  const above = label === undefined || label === heading ? appName : label
  const isAlert = form !== undefined && form.question === undefined
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
${notice !== undefined && markup`<p class="notice">${notice}</p>\n`}${rows && renderRows(rows)}
${signIn !== undefined && markup`<p><a href="${signIn}" target="_blank" rel="noopener">${messages.signIn}</a></p>`}
${renderEntered(view, messages)}
${form && renderForm(form, messages)}
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
  const { showsTraceId = false, facts = [], traceId = frame.traceId, again } = view
  const lines = [
    ...facts,
    again !== undefined && markup`<a href="${again}">${messages.openAgain}</a>`,
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

/** Shows the entered values on a page without their fields. */
function renderEntered({ entered = [] }: PageView, messages: ActionMessages): Markup | false {
  const rows = entered.flatMap(([, label, text]) =>
    text.trim() === '' ? [] : [[label, text] as const],
  )
  return (
    rows.length > 0 &&
    markup`<section class="entered"><p class="quiet">${messages.entered}</p>
${renderRows(rows)}</section>`
  )
}

function renderRows(rows: NonNullable<PageView['rows']>): Markup {
  const items = rows.map(([label, text]) => markup`<dt>${label}</dt><dd dir="auto">${text}</dd>`)
  return markup`<dl>${items}</dl>`
}

function renderForm(form: FormView, messages: ActionMessages): Markup {
  const { path, hidden, fields, question, buttons } = form
  const inputs = hidden.map(
    ([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">\n`,
  )
  const shown = buttons.map(({ name, value, text }) => {
    const second = name !== undefined && markup` name="${name}" value="${value}" class="second"`
    return markup`<button type="submit"${second}>${text}</button>\n`
  })
  // The buttons stand apart, so that the second click of a double click does not confirm.
  const isPair = question === undefined && buttons.length > 1
  return markup`<form method="post" action="${path}">
${inputs}
${fields && Object.keys(fields.form).map((name) => renderField(name, fields, messages))}
${question !== undefined && markup`<p class="quiet">${question}</p>`}
${isPair ? markup`<div class="pair">${shown}</div>` : shown}
</form>`
}

function renderField(
  name: string,
  { form, entered, problems }: FieldsView,
  messages: ActionMessages,
): Markup {
  const { view } = form[name]!
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
