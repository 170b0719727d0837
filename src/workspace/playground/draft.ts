import { historyField, isolateHistory } from '@codemirror/commands'
import { EditorState } from '@codemirror/state'
import type { TransactionSpec } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { signal } from '@preact/signals'
import { notify } from '../core/notify.ts'
import { readDraft, writeDraft } from './draft-storage.ts'
import { editorExtensions } from './editor-extensions.ts'
import { EXAMPLES, exampleText } from './examples.ts'
import { formatPath } from './json-path.ts'
import { nodeAt, stepsTo } from './json-tree.ts'
import { setProblems } from './problem-marks.ts'
import type { Problem } from './validate-text.ts'

/** Texts from this length are only validated and saved when typing pauses. */
const LARGE_LENGTH = 65_536
const PAUSE_MS = { small: 40, large: 400 }

const extensions = [
  editorExtensions,
  EditorView.updateListener.of((update) => {
    adopt(update.state)
    if (update.docChanged) schedule()
    else if (update.selectionSet) schedulePath()
  }),
]

let state = restoreState()
let view: EditorView | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let pathTimer: ReturnType<typeof setTimeout> | undefined
let saveFailed = false

/** The text of the editor, published when typing pauses. */
export const draftText = signal(state.doc.toString())

/** The text that an example, a link or a response replaced; null if there is none to restore. */
export const previousDraft = signal<string | null>(readDraft()?.previous ?? null)

/** The form of the payload that is shown. */
export const openSource = signal<'json' | 'code'>('json')

/** The path of the value at the cursor. */
export const cursorPath = signal('')

addEventListener('pagehide', save)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') save()
})

/**
 * Shows the editor in a shadow root, because the page's Content-Security-Policy
 * blocks its style elements. Returns a cleanup function.
 */
export function mountEditor(host: HTMLElement): () => void {
  const root = host.attachShadow({ mode: 'open' })
  const mounted = new EditorView({
    state,
    root,
    parent: root,
    scrollTo: EditorView.scrollIntoView(state.selection.main.from, { y: 'center' }),
  })
  view = mounted
  return () => {
    save()
    view = null
    mounted.destroy()
  }
}

/** Marks the problems of the published text in the editor. */
export function showProblems(problems: readonly Problem[]): void {
  if (state.doc.length !== draftText.peek().length) return
  dispatch({ effects: setProblems.of(problems) })
}

/** Applies a change, with or without a visible editor. */
export function dispatch(spec: TransactionSpec): void {
  if (view === null) adopt(state.update(spec).state)
  else view.dispatch(spec)
}

/** The current state of the editor. */
export function editorState(): EditorState {
  return state
}

/** Replaces the whole text in one step that can be undone. */
export function replaceText(text: string): void {
  dispatch({
    changes: { from: 0, to: state.doc.length, insert: text },
    selection: { anchor: 0 },
    scrollIntoView: true,
    annotations: isolateHistory.of('full'),
    userEvent: 'input.replace',
  })
  publish()
}

/** Replaces the draft with another payload. The old one can be restored. */
export function replaceDraft(text: string): void {
  const before = state.doc.toString()
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
  const { length } = state.doc
  const range = { anchor: Math.min(from, length), head: Math.min(to, length) }
  dispatch({ selection: range, effects: EditorView.scrollIntoView(range.anchor, { y: 'center' }) })
  view?.focus()
}

function adopt(next: EditorState): void {
  state = next
}

function schedule(): void {
  clearTimeout(timer)
  timer = setTimeout(publish, state.doc.length > LARGE_LENGTH ? PAUSE_MS.large : PAUSE_MS.small)
}

function schedulePath(): void {
  clearTimeout(pathTimer)
  pathTimer = setTimeout(updatePath, PAUSE_MS.small)
}

function publish(): void {
  clearTimeout(timer)
  timer = undefined
  draftText.value = state.doc.toString()
  updatePath()
  save()
}

function updatePath(): void {
  const { head } = state.selection.main
  const node = nodeAt(state, head, 1)
  cursorPath.value = formatPath(stepsTo(state, node).map(({ key }) => key))
}

function save(): void {
  const previous = previousDraft.peek()
  const isSaved = writeDraft(
    () => ({ editor: state.toJSON({ history: historyField }), previous }),
    () => ({ editor: state.toJSON(), previous }),
    () => ({ editor: state.toJSON(), previous: null }),
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
