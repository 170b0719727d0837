import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { lintGutter } from '@codemirror/lint'
import { searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { completeJson } from './complete-json.ts'
import { editorTheme } from './editor-theme.ts'
import { hoverJson } from './hover-json.ts'

/** The editor for payloads. Tab moves the focus, as in the rest of the page. */
export const editorExtensions: Extension = [
  lineNumbers(),
  foldGutter({ openText: '▾', closedText: '▸' }),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  history({ minDepth: 1_000 }),
  drawSelection(),
  EditorState.tabSize.of(2),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ override: [completeJson], icons: false, closeOnBlur: true }),
  json(),
  hoverJson,
  lintGutter(),
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...searchKeymap,
    ...completionKeymap,
  ]),
  EditorView.contentAttributes.of({
    'aria-label': 'Payload as JSON',
    tabindex: '0',
    autocapitalize: 'off',
    spellcheck: 'false',
  }),
  editorTheme,
]
