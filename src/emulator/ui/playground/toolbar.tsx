import type { Payload } from '../../../contract/generated/types.ts'
import { prettyJson } from '../inspector/pretty-json.ts'
import { copyText } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { notify } from '../state/notify.ts'
import { formatRoute } from '../state/route.ts'
import { COMPONENT_TEMPLATES } from './component-templates.ts'
import { dispatch, draftText, editorState, replaceDraft, replaceText } from './draft.ts'
import { EXAMPLES, exampleText } from './examples.ts'
import { downloadFixture } from './fixture.ts'
import { insertComponent } from './insert-component.ts'
import { compressText, LinkError } from './permalink.ts'

interface ToolbarProps {
  /** The valid payload; null while there is none. */
  readonly payload: Payload | null
  readonly isJson: boolean
  readonly onBuilderCode: () => void
}

/** The actions of the playground. */
export function Toolbar({ payload, isJson, onBuilderCode }: ToolbarProps) {
  return (
    <div class="toolbar">
      <ExampleMenu />
      <Menu
        label="Insert component"
        caption="Insert"
        items={COMPONENT_TEMPLATES.map((template) => ({
          label: template.type,
          onChoose: () => {
            const change = insertComponent(editorState(), template)
            if (change === null) notify('Add a components array first', 'bad')
            else dispatch(change)
          },
        }))}
      />
      <button
        type="button"
        class="button button-small"
        disabled={!isJson}
        onClick={() => {
          replaceText(prettyJson(editorState().doc.toString()))
        }}
      >
        Format
      </button>
      <span class="toolbar-end" />
      <button
        type="button"
        class="button button-small"
        onClick={() => void copyText(editorState().doc.toString(), 'JSON')}
      >
        <Icon name="copy" />
        Copy JSON
      </button>
      <button
        type="button"
        class="button button-small"
        title="A link that contains the payload. Nothing is uploaded."
        onClick={() => void copyPermalink()}
      >
        <Icon name="link" />
        Copy link
      </button>
      <button
        type="button"
        class="button button-small"
        disabled={!isJson}
        onClick={() => {
          downloadFixture(draftText.peek())
        }}
      >
        <Icon name="download" />
        Download fixture
      </button>
      <button
        type="button"
        class="button button-small button-primary"
        disabled={payload === null}
        onClick={onBuilderCode}
      >
        <Icon name="code" />
        Builder code
      </button>
    </div>
  )
}

function ExampleMenu() {
  return (
    <label class="select-label">
      <span class="visually-hidden">Start from an example</span>
      <select
        class="select"
        value=""
        onChange={({ currentTarget }) => {
          const example = EXAMPLES[Number(currentTarget.value)]
          currentTarget.value = ''
          if (example !== undefined) replaceDraft(exampleText(example))
        }}
      >
        <option value="">Start from an example…</option>
        {EXAMPLES.map(({ name }, index) => (
          <option key={name} value={index}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

async function copyPermalink(): Promise<void> {
  try {
    const code = await compressText(editorState().doc.toString())
    const query = new URLSearchParams({ payload: code })
    await copyText(new URL(formatRoute('playground', null, query), location.href).href, 'link')
  } catch (error) {
    notify(error instanceof LinkError ? error.message : 'Could not create a link', 'bad')
  }
}
