import { computed, defineComponent, h, ref } from 'vue'
import * as builders from '../../../src/runtime/builders/index.ts'
import { validatePayload } from '../../../src/runtime/contract/validate.ts'
import { renderHtmlWidget } from '../../../src/runtime/render/render-html.ts'

const FIRST = `return [
  card({
    header: { title: 'Subscription' },
    components: [
      ...fields({ Plan: 'Business', Seats: 24, MRR: money(499_000, 'EUR') }),
      badge({ label: 'Status', items: [status('active', { active: 'green' })] }),
      dateTime({ label: 'Renews', value: '2027-03-01T09:00:00Z' }),
      button({ label: 'Open in admin', url: 'https://admin.example.com/7' }),
    ],
  }),
]`

const NAMES = Object.keys(builders).filter((name) => /^[a-z]/.test(name))

/** Runs the code of the reader, in the browser of the reader, and renders what it returns. */
function run(code: string): { readonly html: string } | { readonly problem: string } {
  try {
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the reader's own code
    const fetchData = new Function(...NAMES, code)
    const returned: unknown = fetchData(...NAMES.map((name) => Reflect.get(builders, name)))
    const components = [returned].flat(Infinity).filter(Boolean)
    const result = validatePayload({ version: '1.0.0', header: { title: 'Billing' }, components })
    if (result.ok) return { html: renderHtmlWidget(result.payload) }
    const [issue] = result.issues
    return { problem: `${issue?.path} ${issue?.message}. ${issue?.fix}` }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/** The complete app, to copy into a file. */
function toApp(code: string): string {
  const used = NAMES.filter((name) => new RegExp(`\\b${name}\\(`).test(code))
  const body = code.replaceAll('\n', '\n    ')
  return `import { ${[...used, 'secretHeader', 'sidecard'].join(', ')} } from 'sidecard'

export default sidecard({
  header: { title: 'Billing' },
  auth: secretHeader('x-sidecard-secret', (env) => env.SIDECARD_SECRET),
  fetchData() {
    ${body}
  },
})
`
}

/** An editor for the code of a widget, with the widget next to it. */
export const LiveWidget = defineComponent(() => {
  const code = ref(FIRST)
  const copied = ref(false)
  const result = computed(() => run(code.value))
  const lastHtml = computed<string>((last = '') =>
    'html' in result.value ? result.value.html : last,
  )
  const copy = async () => {
    await navigator.clipboard.writeText(toApp(code.value))
    copied.value = true
  }
  return () =>
    h('section', { class: 'live', 'aria-labelledby': 'try-it' }, [
      h('h2', { id: 'try-it' }, 'Try it'),
      h('div', { class: 'live-code' }, [
        h('div', { class: 'live-bar' }, [
          h('label', { for: 'live-code' }, 'Edit the code of fetchData'),
          h('button', { type: 'button', onClick: copy }, copied.value ? 'Copied' : 'Copy the app'),
        ]),
        h('textarea', {
          id: 'live-code',
          rows: FIRST.split('\n').length + 1,
          spellcheck: false,
          wrap: 'off',
          value: code.value,
          onInput: ({ target }: Event) => {
            code.value = (target as HTMLTextAreaElement).value
            copied.value = false
          },
        }),
      ]),
      h('div', { class: 'live-result' }, [
        h('div', { class: 'vp-raw widget-picture', innerHTML: lastHtml.value }),
        h(
          'output',
          { class: 'live-problem' },
          'problem' in result.value ? result.value.problem : '',
        ),
      ]),
    ])
})
