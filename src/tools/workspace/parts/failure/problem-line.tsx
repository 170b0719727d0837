import { Icon } from '../forms/icon.tsx'
import type { Problem } from '../../state/diagnostics.ts'
import style from './problem-line.module.css'

interface ProblemLineProps {
  readonly problem: Problem
  readonly onOpen: () => void
}

/** An error in one line, which opens the diagnostics. Agents do not see it. */
export function ProblemLine({ problem: { text, location }, onOpen }: ProblemLineProps) {
  return (
    <button type="button" class={style.problem} onClick={onOpen} title={text}>
      <Icon name="alert" />
      <span class="grow ellipsis" dir="auto">
        {text}
      </span>
      {location !== null && (
        <code class={style.place}>
          {location.file.split('/').at(-1)}:{location.line}
        </code>
      )}
    </button>
  )
}
