import { notify } from '../core/notify.ts'
import { prettyJson } from '../core/pretty-json.ts'
import { formatRoute } from '../core/route.ts'
import { Button } from '../parts/button.tsx'
import { copyText } from '../core/copy-text.ts'
import { Select } from '../parts/field.tsx'
import { Menu } from '../parts/menu.tsx'
import { COMPONENT_TEMPLATES } from './component-templates.ts'
import { draftText, editor, replaceDraft, replaceText } from './draft.ts'
import { EXAMPLES, exampleText } from './examples.ts'
import { downloadFixture } from './fixture.ts'
import { insertComponent } from './insert-component.ts'
import { compressText, LinkError } from './permalink.ts'
import playgroundStyle from './playground.module.css'

interface ToolbarProps {
  readonly isJson: boolean
}

/** The actions of the playground. */
export function Toolbar({ isJson }: ToolbarProps) {
  return (
    <div class={playgroundStyle.toolbar}>
      <ExampleMenu />
      <Menu
        label="Insert component"
        caption="Insert"
        items={COMPONENT_TEMPLATES.map((template) => ({
          label: template.type,
          onChoose: () => {
            const change = insertComponent(editor.state, template)
            if (change === null) notify('Add a components array first', 'bad')
            else editor.dispatch(change)
          },
        }))}
      />
      <Button
        small
        disabled={!isJson}
        onClick={() => replaceText(prettyJson(editor.state.doc.toString()))}
      >
        Format
      </Button>
      <span class="grow" />
      <Button small icon="copy" onClick={() => void copyText(editor.state.doc.toString(), 'JSON')}>
        Copy JSON
      </Button>
      <Menu
        label="More"
        items={[
          { label: 'Copy link with payload', icon: 'link', onChoose: () => void copyPermalink() },
          {
            label: 'Download fixture',
            icon: 'download',
            isDisabled: !isJson,
            onChoose: () => downloadFixture(draftText.peek()),
          },
        ]}
      />
    </div>
  )
}

function ExampleMenu() {
  return (
    <Select
      small
      aria-label="Start from an example"
      value=""
      options={[
        ['', 'Start from an example…'],
        ...EXAMPLES.map(({ name }, index) => [String(index), name] as const),
      ]}
      onChange={({ currentTarget }) => {
        const example = EXAMPLES[Number(currentTarget.value)]
        currentTarget.value = ''
        if (example !== undefined) replaceDraft(exampleText(example))
      }}
    />
  )
}

async function copyPermalink(): Promise<void> {
  try {
    const code = await compressText(editor.state.doc.toString())
    const query = new URLSearchParams({ payload: code })
    await copyText(new URL(formatRoute('playground', null, query), location.href).href, 'link')
  } catch (error) {
    notify(error instanceof LinkError ? error.message : 'Could not create a link', 'bad')
  }
}
