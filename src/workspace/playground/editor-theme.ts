import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/**
 * The theme of the editor in the colors of the workspace. Custom properties are
 * inherited by the shadow root.
 */
export const editorTheme: Extension = [
  EditorView.theme({
    '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--surface)' },
    '&.cm-focused': { outline: 'none', boxShadow: 'inset 2px 0 var(--accent)' },
    '.cm-scroller': {
      fontFamily: 'var(--mono)',
      fontSize: 'var(--text-s)',
      lineHeight: '20px',
    },
    '.cm-content': { padding: 'var(--space-3) 0 60px', caretColor: 'var(--ink)' },
    '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
    '.cm-gutters': {
      color: 'var(--ink-quiet)',
      backgroundColor: 'var(--surface)',
      border: '0',
    },
    '.cm-lineNumbers .cm-gutterElement': { minWidth: '36px', padding: '0 6px 0 10px' },
    '.cm-foldGutter .cm-gutterElement': { width: '16px', cursor: 'pointer', textAlign: 'center' },
    '.cm-activeLine': { backgroundColor: 'transparent' },
    '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--hover-soft)' },
    '.cm-activeLineGutter': { color: 'var(--ink)', backgroundColor: 'transparent' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
      { background: 'var(--accent-line)' },
    '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
      backgroundColor: 'var(--accent-soft)',
      outline: '1px solid var(--accent-line)',
    },
    '.cm-foldPlaceholder': {
      margin: '0 2px',
      padding: '0 6px',
      color: 'var(--ink-soft)',
      backgroundColor: 'var(--badge-gray)',
      border: '0',
    },
    '.cm-lintRange': {
      backgroundImage: 'none',
      textDecoration: 'underline wavy var(--warn-dot)',
      textUnderlineOffset: '3px',
    },
    '.cm-lintRange-error': { textDecorationColor: 'var(--bad-dot)' },
    '.cm-lintRange-info': { textDecorationColor: 'var(--line-strong)' },
    '.cm-gutter-lint .cm-gutterElement': { padding: '0 0 0 4px' },
    '.cm-lint-marker': {
      content: '""',
      margin: '6px 0',
      width: '8px',
      height: '8px',
      borderRadius: '4px',
    },
    '.cm-lint-marker-error': { content: '""', backgroundColor: 'var(--bad-dot)' },
    '.cm-lint-marker-warning': { content: '""', backgroundColor: 'var(--warn-dot)' },
    '.cm-lint-marker-info': { content: '""', backgroundColor: 'var(--line-strong)' },
    '.cm-diagnostic': { padding: '6px 10px', borderLeft: '0', fontFamily: 'var(--font)' },
    '.cm-tooltip': {
      maxWidth: '420px',
      color: 'var(--ink)',
      backgroundColor: 'var(--raised)',
      border: '1px solid var(--line)',
      borderRadius: 'var(--radius)',
      boxShadow: 'var(--shadow-large)',
      fontSize: 'var(--text-s)',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16em' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
    '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      color: 'var(--on-solid) !important',
      backgroundColor: 'var(--solid) !important',
    },
    '.cm-completionDetail': { color: 'inherit', fontStyle: 'normal', opacity: '0.75' },
    '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
    '.cm-tooltip.cm-completionInfo': { padding: '8px 10px' },
    '.cm-schema': { display: 'grid', gap: '4px', padding: '8px 10px' },
    '.cm-schema p': { margin: '0', fontFamily: 'var(--font)' },
    '.cm-schema code': { fontFamily: 'var(--mono)', fontWeight: '600' },
    '.cm-panels': { color: 'var(--ink)', backgroundColor: 'var(--page)' },
    '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
    '.cm-textfield, .cm-button': {
      backgroundImage: 'none',
      backgroundColor: 'var(--surface)',
      color: 'var(--ink)',
      border: '1px solid var(--control-line)',
      borderRadius: 'var(--radius-s)',
    },
    '.cm-panel.cm-search': { padding: '8px 12px' },
    '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '4px' },
    '.cm-panel.cm-search [name=close]': {
      top: '8px',
      right: '8px',
      width: '28px',
      fontSize: '20px',
    },
    '.cm-panel.cm-search .cm-textfield, .cm-panel.cm-search .cm-button': { padding: '4px 10px' },
    '.cm-panel.cm-search label, .cm-panel.cm-search .cm-textfield, .cm-panel.cm-search .cm-button':
      { fontSize: 'var(--text-s)' },
    '.cm-searchMatch': {
      backgroundColor: 'var(--warn-soft)',
      outline: '1px solid var(--warn-dot)',
    },
    '.cm-searchMatch-selected': { backgroundColor: 'var(--warn-line)' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.propertyName, color: 'var(--code-name)' },
      { tag: tags.string, color: 'var(--code-string)' },
      { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-literal)' },
      { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--ink-quiet)' },
    ]),
  ),
]
