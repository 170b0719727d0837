import { signal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Payload } from '../../../contract/payload.ts'
import { builderCode } from '../../builder-code.ts'
import { prettyJson } from '../inspector/pretty-json.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { announce } from '../state/announce.ts'
import { loadExchange } from '../state/exchanges.ts'
import { go } from '../state/route.ts'
import { Editor, goToLine } from './editor.tsx'
import { EXAMPLES, exampleText } from './examples.ts'
import { judgeText } from './judge.ts'
import { Preview } from './preview.tsx'
import { ProblemList } from './problem-list.tsx'

/** What stands in the editor; it stays while other views are looked at. */
const draft = signal(EXAMPLES[0] === undefined ? '' : exampleText(EXAMPLES[0]))

/** What the text showed when it was last valid; another text begins without. */
const lastGood = signal<Payload | null>(null)

function replaceDraft(text: string): void {
  lastGood.value = null
  draft.value = text
}

/** JSON at the left, what the sidebar makes of it at the right. */
export function Playground({ exchangeId }: { readonly exchangeId: string | null }) {
  const text = draft.value
  const judged = useMemo(() => judgeText(text), [text])
  const field = useRef<HTMLTextAreaElement>(null)
  const [showsCode, setShowsCode] = useState(false)
  useEffect(() => {
    if (judged.outcome === 'rendered') lastGood.value = judged.payload
  }, [judged])
  useEffect(() => {
    if (exchangeId !== null) void openAnswer(exchangeId)
  }, [exchangeId])
  return (
    <main class="playground" id="main" tabIndex={-1}>
      <h1 class="visually-hidden">Playground</h1>
      <section class="playground-editor" aria-label="Editor">
        <div class="toolbar">
          <ExampleMenu />
          <button
            type="button"
            class="button button-small"
            disabled={judged.outcome === 'not_json'}
            onClick={() => {
              draft.value = prettyJson(text)
            }}
          >
            Format
          </button>
          <button
            type="button"
            class="button button-small button-primary toolbar-end"
            disabled={judged.outcome !== 'rendered'}
            onClick={() => {
              setShowsCode(true)
            }}
          >
            <Icon name="code" />
            Builder code
          </button>
        </div>
        <Editor
          text={text}
          problems={judged.problems}
          field={field}
          onChange={(changed) => {
            draft.value = changed
          }}
        />
        <ProblemList
          judged={judged}
          onLine={(line) => {
            goToLine(field.current, line)
          }}
        />
      </section>
      <Preview judged={judged} lastGood={lastGood.value} />
      {showsCode && judged.outcome === 'rendered' && (
        <CodeDialog
          code={builderCode(judged.payload)}
          onClose={() => {
            setShowsCode(false)
          }}
        />
      )}
    </main>
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

function CodeDialog({ code, onClose }: { readonly code: string; readonly onClose: () => void }) {
  return (
    <Dialog title="The same with the builders" size="large" onClose={onClose}>
      <div class="dialog-body">
        <CodeBlock label="Builder code" code={code} />
      </div>
      <footer class="dialog-footer">
        <CopyButton text={code} what="builder code" label="Copy" />
      </footer>
    </Dialog>
  )
}

/** Takes the answer of a widget into the editor. */
async function openAnswer(exchangeId: string): Promise<void> {
  const exchange = await loadExchange(exchangeId)
  if (typeof exchange === 'string') announce(exchange, 'bad')
  else if (exchange.response === null) announce('This request got no answer', 'bad')
  else replaceDraft(prettyJson(exchange.response.body))
  // So that a reload keeps what is typed from here on, and not that answer.
  go('#/playground')
}
