import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import type { Problem } from './judge.ts'

interface EditorProps {
  readonly text: string
  readonly problems: readonly Problem[]
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly onChange: (text: string) => void
}

/** A plain text field with the numbers of its lines, on which problems are marked. */
export function Editor({ text, problems, field, onChange }: EditorProps) {
  const gutter = useRef<HTMLOListElement>(null)
  const marks = new Map<number, Problem>()
  for (const problem of problems) {
    if (marks.get(problem.line)?.level !== 'MUST') marks.set(problem.line, problem)
  }
  return (
    <div class="editor">
      <ol class="gutter" ref={gutter} aria-hidden="true">
        {text.split('\n').map((_, index) => {
          const mark = marks.get(index + 1)
          return (
            <li
              key={index}
              class={mark === undefined ? undefined : `mark mark-${mark.level}`}
              title={mark?.message}
            />
          )
        })}
      </ol>
      <textarea
        ref={field}
        class="editor-field"
        aria-label="Payload as JSON"
        aria-describedby="playground-verdict"
        wrap="off"
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => {
          onChange(currentTarget.value)
        }}
        onScroll={({ currentTarget }) => {
          if (gutter.current !== null) gutter.current.scrollTop = currentTarget.scrollTop
        }}
      />
    </div>
  )
}

/** Puts the cursor on a line and brings it into sight. */
export function goToLine(field: HTMLTextAreaElement | null, line: number): void {
  if (field === null) return
  const lines = field.value.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  field.focus()
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  field.scrollTop = (field.scrollHeight / lines.length) * Math.max(0, line - 6)
}
