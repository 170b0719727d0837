import { copyText } from '../core/copy-text.ts'
import { notify } from '../core/notify.ts'
import { compressText, linkPage, LinkError } from '../core/permalink.ts'
import { prettyJson } from '../core/pretty-json.ts'
import { formatRoute } from '../core/route.ts'
import { workspace } from '../core/workspace.ts'
import { Button } from '../parts/forms/button.tsx'
import { Select } from '../parts/forms/field.tsx'
import { Menu } from '../parts/menu.tsx'
import { COMPONENT_TEMPLATES } from './component-templates.ts'
import { field, replaceDraft, replaceRange, selectRange, typedText } from './draft.ts'
import { EXAMPLES, exampleText } from './examples.ts'
import { insertComponent } from './insert-component.ts'
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
            const cursor = field.current?.selectionStart ?? 0
            const inserted = insertComponent(typedText.peek(), cursor, template)
            if (inserted === null) return notify('Add a components array first', 'bad')
            replaceText(inserted.text)
            selectRange(inserted.range)
          },
        }))}
      />
      <Button small disabled={!isJson} onClick={() => replaceText(prettyJson(typedText.peek()))}>
        Format
      </Button>
      <span class="grow" />
      <Button small icon="copy" onClick={() => void copyText(typedText.peek(), 'JSON')}>
        Copy JSON
      </Button>
      {/* Only this machine can open a link to the emulator. */}
      {workspace.value === null && (
        <Button small icon="link" onClick={() => void copyPermalink()}>
          Copy link
        </Button>
      )}
    </div>
  )
}

function replaceText(text: string): void {
  replaceRange(text, 0, typedText.peek().length)
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
    const query = new URLSearchParams({ payload: await compressText(typedText.peek()) })
    await copyText(new URL(formatRoute('playground', null, query), linkPage.url()).href, 'link')
  } catch (error) {
    notify(error instanceof LinkError ? error.message : 'Could not create a link', 'bad')
  }
}
