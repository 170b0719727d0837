import { setDiagnostics } from '@codemirror/lint'
import type { EditorState, TransactionSpec } from '@codemirror/state'
import type { Problem } from './validate-text.ts'

const MAX_MARKED = 500
const SEVERITIES = { MUST: 'error', SHOULD: 'warning', ASSUMED: 'info' } as const

/** Creates a change that underlines problems, marks their lines, and explains them on hover. */
export function markProblems(state: EditorState, problems: readonly Problem[]): TransactionSpec {
  const shown = problems.filter(({ to }) => to <= state.doc.length).slice(0, MAX_MARKED)
  const marks = shown.map(({ from, to, level, message, fix }) => ({
    from,
    // A component is only marked on its first line. An underlined block would be unreadable.
    to: Math.min(to, state.doc.lineAt(from).to),
    severity: SEVERITIES[level],
    markClass: `cm-problem-${level}`,
    message: `${message}. ${fix}`,
  }))
  return setDiagnostics(state, marks)
}
