import { computed, signal } from '@preact/signals'
import { getLocation } from 'jsonc-parser'
import { createRef } from 'preact'
import { notify } from '../core/notify.ts'
import { readStored, writeStored } from '../core/storage.ts'
import { EXAMPLES, exampleText } from './examples.ts'
import type { TextRange } from './json-text.ts'

/** The draft in the browser's storage. */
interface StoredDraft {
  readonly text: string
  readonly previous: string | null
}

/** The height of a line, in CSS pixels. */
export const LINE_HEIGHT = 20

/**
 * The maximum length of a text that is validated and saved while typing. Longer
 * texts wait for a pause.
 */
const LARGE_LENGTH = 65_536
const PAUSE_MS = { small: 40, large: 400 }
const NAME = 'playground'

/** A tab keeps its own draft. A new tab starts with the one that was stored last. */
const STORAGES = [() => sessionStorage, () => localStorage] as const

const stored = readDraft()

/** The text field of the editor, while it is shown. */
export const field = createRef<HTMLTextAreaElement>()

/** The current text in the editor. */
export const typedText = signal(stored.text)

/** The text that is validated, shown and saved: the typed one, when typing pauses. */
export const draftText = signal(stored.text)

/** The text that an example, a link or a response replaced; null if there is none to restore. */
export const previousDraft = signal(stored.previous)

/** The form of the payload that is shown. */
export const openSource = signal<'json' | 'code'>('json')

const cursor = signal(0)

/** The path of the component at the cursor; empty if there is none. */
export const cursorPath = computed(() => {
  const [list, index, inner, innerIndex] = getLocation(draftText.value, cursor.value).path
  const card = list === 'components' && typeof index === 'number' ? `components[${index}]` : ''
  const isInner = inner === 'components' && typeof innerIndex === 'number'
  return card !== '' && isInner ? `${card}.components[${innerIndex}]` : card
})

let timer: ReturnType<typeof setTimeout> | undefined
let saveFailed = false

addEventListener('pagehide', publish)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') publish()
})

/** Publishes the text and the cursor when typing pauses. */
export function schedulePublish(): void {
  clearTimeout(timer)
  const isLarge = typedText.peek().length > LARGE_LENGTH
  timer = setTimeout(publish, isLarge ? PAUSE_MS.large : PAUSE_MS.small)
}

function publish(): void {
  clearTimeout(timer)
  draftText.value = typedText.peek()
  cursor.value = field.current?.selectionStart ?? 0
  save()
}

/** Replaces a range of the text, in one step that can be undone unless the new text is large. */
export function replaceRange(text: string, from: number, to: number): void {
  const { current } = field
  current?.focus()
  current?.setSelectionRange(from, to)
  // Only `execCommand` keeps the undo history. It takes many seconds for a megabyte.
  const canUndo = current !== null && text.length <= LARGE_LENGTH
  // oxlint-disable-next-line typescript/no-deprecated -- as above
  const isDone = canUndo && document.execCommand('insertText', false, text)
  const before = typedText.peek()
  if (!isDone) setText(before.slice(0, from) + text + before.slice(to))
  publish()
}

/** Replaces the draft with another payload. The old one can be restored. */
export function replaceDraft(text: string): void {
  const before = typedText.peek()
  if (before === text) return
  const isExample = EXAMPLES.some((example) => exampleText(example) === before)
  if (!isExample && before.trim() !== '') previousDraft.value = before
  setText(text)
  publish()
}

/** Restores the replaced draft. */
export function restoreDraft(): void {
  setText(previousDraft.peek() ?? typedText.peek())
  previousDraft.value = null
  publish()
}

/** Sets the text of the editor, which does not follow the signal if the text is large. */
function setText(text: string): void {
  typedText.value = text
  if (field.current !== null) field.current.value = text
}

/** Selects a range, scrolls it into view and focuses the editor. */
export function selectRange({ from, to, line }: TextRange): void {
  openSource.value = 'json'
  // The editor is rendered in a microtask, and does not exist before.
  queueMicrotask(() => {
    const { current } = field
    if (current === null) return
    current.focus()
    current.setSelectionRange(from, to)
    const top = (line - 1) * LINE_HEIGHT
    const { scrollTop, clientHeight } = current
    const isVisible = top >= scrollTop && top < scrollTop + clientHeight - 2 * LINE_HEIGHT
    if (!isVisible) current.scrollTop = top - clientHeight / 2
    publish()
  })
}

function save(): void {
  const draft: StoredDraft = { text: draftText.peek(), previous: previousDraft.peek() }
  const isSaved = write(draft) || write({ ...draft, previous: null })
  if (!isSaved && !saveFailed) {
    notify(
      'The draft does not fit into the browser’s storage. A reload returns to the last one that did.',
      'bad',
    )
  }
  saveFailed = !isSaved
}

/**
 * Writes the draft. Returns whether one of the storages accepted it; the others
 * keep an older one.
 */
function write(draft: StoredDraft): boolean {
  return STORAGES.map((storage) => writeStored(NAME, draft, storage)).includes(true)
}

function readDraft(): StoredDraft {
  const drafts = STORAGES.map((storage) => readStored(NAME, storage) as Partial<StoredDraft> | null)
  const { text, previous = null } = drafts.find((draft) => typeof draft?.text === 'string') ?? {}
  return { text: text ?? exampleText(EXAMPLES[0]!), previous }
}
