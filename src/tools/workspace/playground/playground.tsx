import { set } from '../core/set.ts'
import { signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Payload } from '../../../runtime/contract/generated/types.ts'
import { builderCode } from '../../emulator/builder-code.ts'
import { act } from '../core/act.ts'
import { notify } from '../core/notify.ts'
import { decompressText, LinkError } from '../core/permalink.ts'
import { prettyJson } from '../core/pretty-json.ts'
import { replaceRoute, route } from '../core/route.ts'
import { loadExchange } from '../state/exchanges.ts'
import { Button, IconButton } from '../parts/forms/button.tsx'
import { CodeBlock } from '../parts/code/code-block.tsx'
import { CopyButton } from '../parts/forms/copy-button.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { routeHash } from '../state/request-as.ts'
import { JsonEditor } from './json-editor.tsx'
import {
  draftText,
  openSource,
  previousDraft,
  replaceDraft,
  restoreDraft,
  selectRange,
} from './draft.ts'
import { Preview } from './preview.tsx'
import { ProblemList } from './problem-list.tsx'
import { Toolbar } from './toolbar.tsx'
import { type Problem, validateText } from './validate-text.ts'
import playgroundStyle from './playground.module.css'

/** The payload of the last valid text. It is reset when the draft is replaced. */
const lastGood = signal<Payload | null>(null)

/** The view with an editor for payloads and a preview of the widget. */
export function Playground() {
  const { id: exchangeId, query } = route.value
  const code = query.get('payload')
  const text = draftText.value
  const validated = useMemo(() => validateText(text), [text])
  useEffect(() => {
    if (validated.payload !== null) lastGood.value = validated.payload
  }, [validated])
  useEffect(() => {
    if (exchangeId !== null) void openResponse(exchangeId)
    else if (code !== null) void openPermalink(code)
  }, [exchangeId, code])
  return (
    <main class={playgroundStyle.playground} id="main" tabIndex={-1}>
      <h1 class="visually-hidden">Playground</h1>
      <section class={playgroundStyle.editor} aria-label="Editor">
        <Toolbar isJson={validated.outcome !== 'not_json' && validated.outcome !== 'too_large'} />
        {previousDraft.value !== null && <ReplacedNotice />}
        <Source problems={validated.problems} />
        <ProblemList validated={validated} onChoose={selectRange} />
      </section>
      <Preview validated={validated} text={text} lastGood={lastGood.value} />
    </main>
  )
}

function ReplacedNotice() {
  return (
    <div class={playgroundStyle['replaced-notice']}>
      <output class="grow">Your draft was replaced.</output>
      <Button small onClick={restoreDraft}>
        Restore
      </Button>
      <IconButton icon="close" label="Dismiss" onClick={set(previousDraft, null)} />
    </div>
  )
}

/** The payload as JSON and as builder code. The code shows the last valid payload. */
function Source({ problems }: { readonly problems: readonly Problem[] }) {
  const code = lastGood.value === null ? null : builderCode(lastGood.value)
  const isCode = openSource.value === 'code'
  return (
    <div class={playgroundStyle.source}>
      <Tabs
        label="Payload"
        tabs={[
          { id: 'json', name: 'JSON' },
          { id: 'code', name: 'Builder code' },
        ]}
        open={openSource.value}
        onOpen={(source) => {
          openSource.value = source
        }}
        end={
          isCode && code !== null && <CopyButton text={code} label="builder code" caption="Copy" />
        }
      >
        {!isCode && <JsonEditor problems={problems} />}
        {isCode &&
          (code === null ? (
            <p class={playgroundStyle['no-code']}>The payload is not valid yet.</p>
          ) : (
            <CodeBlock label="Builder code">{code}</CodeBlock>
          ))}
      </Tabs>
    </div>
  )
}

/** Opens the response of a request in the editor. */
async function openResponse(exchangeId: string): Promise<void> {
  await act(async () => {
    const { response } = await loadExchange(exchangeId)
    if (response === null) notify('This request has no response', 'bad')
    else open(prettyJson(response.body))
    if (response?.truncated === true) notify('Only the first 256 KiB were kept', 'bad')
  })
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
