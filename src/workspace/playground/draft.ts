import { historyField, isolateHistory } from '@codemirror/commands'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { signal } from '@preact/signals'
import { getLocation } from 'jsonc-parser'
import { notify } from '../core/notify.ts'
import { readDraft, writeDraft } from './draft-storage.ts'
import { editorExtensions } from './editor-extensions.ts'
import { EXAMPLES, exampleText } from './examples.ts'
import { markProblems } from './problem-marks.ts'
import type { Problem } from './validate-text.ts'

/** Texts from this length are only validated and saved when typing pauses. */
const LARGE_LENGTH = 65_536
const PAUSE_MS = { small: 40, large: 400 }

const extensions = [
  editorExtensions,
  EditorView.updateListener.of(({ docChanged, selectionSet }) => {
    if (docChanged) schedule(publish)
    else if (selectionSet) schedule(updatePath)
  }),
]

/** The editor is in a shadow root, because the page's policy blocks its style elements. */
const host = document.createElement('div')
host.style.height = '100%'
const root = host.attachShadow({ mode: 'open' })

/** The editor, which is kept while other views are open. */
export const editor = new EditorView({ state: restoreState(), root, parent: root })

let timer: ReturnType<typeof setTimeout> | undefined
let isPublished = true
let saveFailed = false

/** The text of the editor, published when typing pauses. */
export const draftText = signal(editor.state.doc.toString())

/** The text that an example, a link or a response replaced; null if there is none to restore. */
export const previousDraft = signal<string | null>(readDraft()?.previous ?? null)

/** The form of the payload that is shown. */
export const openSource = signal<'json' | 'code'>('json')

/** The path of the component at the cursor; empty if there is none. */
export const cursorPath = signal('')

addEventListener('pagehide', save)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') save()
})

/** Shows the editor in an element. Returns a cleanup function. */
export function mountEditor(parent: HTMLElement): () => void {
  parent.append(host)
  const { from } = editor.state.selection.main
  editor.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'center' }) })
  return save
}

/** Marks the problems of the published text in the editor. */
export function showProblems(problems: readonly Problem[]): void {
  if (isPublished) editor.dispatch(markProblems(editor.state, problems))
}

/** Replaces the whole text in one step that can be undone. */
export function replaceText(text: string): void {
  editor.dispatch({
    changes: { from: 0, to: editor.state.doc.length, insert: text },
    selection: { anchor: 0 },
    scrollIntoView: true,
    annotations: isolateHistory.of('full'),
    userEvent: 'input.replace',
  })
  publish()
}

/** Replaces the draft with another payload. The old one can be restored. */
export function replaceDraft(text: string): void {
  const before = editor.state.doc.toString()
  if (before === text) return
  const isExample = EXAMPLES.some((example) => exampleText(example) === before)
  if (!isExample && before.trim() !== '') previousDraft.value = before
  replaceText(text)
}

/** Restores the replaced draft. */
export function restoreDraft(): void {
  const text = previousDraft.peek()
  previousDraft.value = null
  if (text !== null) replaceText(text)
}

/** Selects a range, scrolls it into view and focuses the editor. */
export function selectRange(from: number, to: number): void {
  openSource.value = 'json'
  const { length } = editor.state.doc
  const range = { anchor: Math.min(from, length), head: Math.min(to, length) }
  editor.dispatch({
    selection: range,
    effects: EditorView.scrollIntoView(range.anchor, { y: 'center' }),
  })
  editor.focus()
}

function schedule(work: () => void): void {
  // A pending text also updates the path.
  const next = isPublished ? work : publish
  if (next === publish) isPublished = false
  clearTimeout(timer)
  const isLarge = editor.state.doc.length > LARGE_LENGTH
  timer = setTimeout(next, isLarge ? PAUSE_MS.large : PAUSE_MS.small)
}

function publish(): void {
  clearTimeout(timer)
  isPublished = true
  draftText.value = editor.state.doc.toString()
  updatePath()
  save()
}

function updatePath(): void {
  const { path } = getLocation(draftText.peek(), editor.state.selection.main.head)
  const [list, index, inner, innerIndex] = path
  const card = list === 'components' && typeof index === 'number' ? `components[${index}]` : ''
  const isInner = inner === 'components' && typeof innerIndex === 'number'
  cursorPath.value = card !== '' && isInner ? `${card}.components[${innerIndex}]` : card
}

function save(): void {
  const previous = previousDraft.peek()
  const isSaved = writeDraft(
    () => ({ editor: editor.state.toJSON({ history: historyField }), previous }),
    () => ({ editor: editor.state.toJSON(), previous }),
    () => ({ editor: editor.state.toJSON(), previous: null }),
  )
  if (!isSaved && !saveFailed) {
    notify(
      'The draft does not fit into the browser’s storage. A reload returns to the last one that did.',
      'bad',
    )
  }
  saveFailed = !isSaved
}

function restoreState(): EditorState {
  const stored = readDraft()
  if (stored !== null) {
    for (const fields of [{ history: historyField }, {}]) {
      try {
        return EditorState.fromJSON(stored.editor, { extensions }, fields)
      } catch {
        // Written by another version: without the history, or from an example.
      }
    }
  }
  const [first] = EXAMPLES
  return EditorState.create({ doc: first === undefined ? '' : exampleText(first), extensions })
}
