import { RangeSet, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import type { Extension, Text } from '@codemirror/state'
import {
  Decoration,
  EditorView,
  gutterLineClass,
  GutterMarker,
  hoverTooltip,
} from '@codemirror/view'
import type { DecorationSet } from '@codemirror/view'
import type { Problem } from './validate-text.ts'

const MAX_MARKED = 500

/** Replaces the marked problems. */
export const setProblems = StateEffect.define<readonly Problem[]>()

class LineMarker extends GutterMarker {
  override readonly elementClass: string

  constructor(level: Problem['level']) {
    super()
    this.elementClass = `cm-problem-line cm-problem-line-${level}`
  }
}

const LINE_MARKERS = {
  MUST: new LineMarker('MUST'),
  SHOULD: new LineMarker('SHOULD'),
  ASSUMED: new LineMarker('ASSUMED'),
} satisfies Record<Problem['level'], LineMarker>

interface Marks {
  readonly problems: readonly Problem[]
  readonly ranges: DecorationSet
  readonly lines: RangeSet<GutterMarker>
}

const field = StateField.define<Marks>({
  create: () => ({ problems: [], ranges: Decoration.none, lines: RangeSet.empty }),
  update(marks, { changes, effects, state }) {
    for (const effect of effects) {
      if (effect.is(setProblems)) return mark(state.doc, effect.value)
    }
    if (changes.empty) return marks
    return { ...marks, ranges: marks.ranges.map(changes), lines: marks.lines.map(changes) }
  },
  provide: (marks) => [
    EditorView.decorations.from(marks, ({ ranges }) => ranges),
    gutterLineClass.from(marks, ({ lines }) => lines),
  ],
})

/** Underlines problems, marks their lines in the gutter, and explains them on hover. */
export const problemMarks: Extension = [
  field,
  hoverTooltip(({ state }, position) => {
    const marks = state.field(field)
    const found = new Set<Problem>()
    marks.ranges.between(position, position, (_from, _to, { spec }) => {
      found.add((spec as { readonly problem: Problem }).problem)
    })
    if (found.size === 0) return null
    return { pos: position, above: true, create: () => ({ dom: tooltip([...found]) }) }
  }),
]

function mark(doc: Text, problems: readonly Problem[]): Marks {
  const shown = problems
    .filter(({ to }) => to <= doc.length)
    .toSorted((a, b) => a.from - b.from || a.to - b.to)
    .slice(0, MAX_MARKED)
  const lines = new Map<number, Problem['level']>()
  const ranges = new RangeSetBuilder<Decoration>()
  for (const problem of shown) {
    const line = doc.lineAt(problem.from)
    if (lines.get(line.from) !== 'MUST') lines.set(line.from, problem.level)
    // A component is only marked on its first line, because an underlined block would be
    // unreadable.
    const to = Math.min(problem.to, line.to)
    if (to <= problem.from) continue
    ranges.add(
      problem.from,
      to,
      Decoration.mark({ class: `cm-problem cm-problem-${problem.level}`, problem }),
    )
  }
  return {
    problems: shown,
    ranges: ranges.finish(),
    lines: RangeSet.of([...lines].map(([from, level]) => LINE_MARKERS[level].range(from))),
  }
}

function tooltip(problems: readonly Problem[]): HTMLElement {
  const dom = document.createElement('div')
  dom.className = 'cm-schema'
  for (const { message, fix } of problems) {
    const text = document.createElement('p')
    text.textContent = `${message}. ${fix}`
    dom.append(text)
  }
  return dom
}
