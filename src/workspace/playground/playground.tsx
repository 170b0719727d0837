import { signal } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Payload } from '../../contract/generated/types.ts'
import { builderCode } from '../../emulator/builder-code.ts'
import { notify } from '../core/notify.ts'
import { prettyJson } from '../core/pretty-json.ts'
import { replaceRoute, route } from '../core/route.ts'
import { loadExchange } from '../inspector/exchanges.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { routeHash } from '../sidebar/request-as.ts'
import { CodeEditor } from './code-editor.tsx'
import { draftText, previousDraft, replaceDraft, restoreDraft, selectRange } from './draft.ts'
import { decompressText, LinkError } from './permalink.ts'
import { Preview } from './preview.tsx'
import { ProblemList } from './problem-list.tsx'
import { Toolbar } from './toolbar.tsx'
import { validateText } from './validate-text.ts'
import dialogStyle from '../parts/dialog.module.css'
import playgroundStyle from './playground.module.css'

/** The payload of the last valid text. It is reset when the draft is replaced. */
const lastGood = signal<Payload | null>(null)

/** The view with an editor for payloads and a preview of the widget. */
export function Playground() {
  const { id: exchangeId, query } = route.value
  const code = query.get('payload')
  const text = draftText.value
  const validated = useMemo(() => validateText(text), [text])
  const [showsCode, setShowsCode] = useState(false)
  useEffect(() => {
    if (validated.outcome === 'rendered') lastGood.value = validated.payload
  }, [validated])
  useEffect(() => {
    if (exchangeId !== null) void openResponse(exchangeId)
    else if (code !== null) void openPermalink(code)
  }, [exchangeId, code])
  const payload = validated.outcome === 'rendered' ? validated.payload : null
  return (
    <main class={playgroundStyle.playground} id="main" tabIndex={-1}>
      <h1 class="visually-hidden">Playground</h1>
      <section class={playgroundStyle.editor} aria-label="Editor">
        <Toolbar
          payload={payload}
          isJson={validated.outcome !== 'not_json' && validated.outcome !== 'too_large'}
          onBuilderCode={() => setShowsCode(true)}
        />
        {previousDraft.value !== null && <ReplacedNotice />}
        <CodeEditor problems={validated.problems} />
        <ProblemList validated={validated} onChoose={({ from, to }) => selectRange(from, to)} />
      </section>
      <Preview validated={validated} text={text} lastGood={lastGood.value} />
      {showsCode && payload !== null && (
        <CodeDialog code={builderCode(payload)} onClose={() => setShowsCode(false)} />
      )}
    </main>
  )
}

function ReplacedNotice() {
  return (
    <div class={playgroundStyle['replaced-notice']}>
      <output>Your draft was replaced.</output>
      <Button small onClick={restoreDraft}>
        Restore
      </Button>
      <IconButton
        icon="close"
        label="Dismiss"
        onClick={() => {
          previousDraft.value = null
        }}
      />
    </div>
  )
}

function CodeDialog({ code, onClose }: { readonly code: string; readonly onClose: () => void }) {
  return (
    <Dialog title="Builder code" size="large" onClose={onClose}>
      <div class={dialogStyle.body}>
        <CodeBlock label="Builder code">{code}</CodeBlock>
      </div>
      <footer class={dialogStyle.footer}>
        <CopyButton text={code} label="builder code" caption="Copy" />
      </footer>
    </Dialog>
  )
}

/** Opens the response of a request in the editor. */
async function openResponse(exchangeId: string): Promise<void> {
  const exchange = await loadExchange(exchangeId)
  if (typeof exchange === 'string') notify(exchange, 'bad')
  else if (exchange.response === null) notify('This request has no response', 'bad')
  else {
    open(prettyJson(exchange.response.body))
    if (exchange.response.truncated) notify('Only the first 256 KiB were kept', 'bad')
  }
  forgetSource()
}

async function openPermalink(code: string): Promise<void> {
  try {
    open(await decompressText(code))
  } catch (error) {
    notify(error instanceof LinkError ? error.message : 'Cannot open this link', 'bad')
  }
  forgetSource()
}

function open(text: string): void {
  lastGood.value = null
  replaceDraft(text)
}

/** Removes the source from the URL, so that a reload keeps the edited text. */
function forgetSource(): void {
  if (route.peek().view === 'playground') replaceRoute(routeHash('playground'))
}
