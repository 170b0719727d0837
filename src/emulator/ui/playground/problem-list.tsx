import { RuleId } from '../parts/rule-id.tsx'
import type { Judged } from './judge.ts'

interface ProblemListProps {
  readonly judged: Judged
  readonly onLine: (line: number) => void
}

/** What is wrong with the text, by its lines; choosing one goes there. */
export function ProblemList({ judged, onLine }: ProblemListProps) {
  const worst = judged.problems.filter(({ level }) => level === 'MUST').length
  const advice = judged.problems.length - worst
  return (
    <section class="problems" aria-label="Problems">
      <output class="problems-verdict" id="playground-verdict">
        <span class={`dot ${worst === 0 ? 'dot-good' : 'dot-bad'}`} />
        {verdict(worst, advice)}
      </output>
      <ul>
        {judged.problems.map((problem, index) => (
          <li key={index} class="problem-item">
            <button
              type="button"
              class="problem"
              onClick={() => {
                onLine(problem.line)
              }}
            >
              <span class="problem-line">{problem.line}</span>
              <span class={`level level-${problem.level}`}>{problem.level}</span>
              <span class="problem-text">
                {problem.path !== undefined && <code>{problem.path}</code>}
                <span dir="auto">{problem.message}</span>
                <span class="finding-fix">{problem.fix}</span>
              </span>
            </button>
            <RuleId id={problem.rule} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function verdict(worst: number, advice: number): string {
  if (worst > 0) return `${worst} ${worst === 1 ? 'problem' : 'problems'} to fix`
  if (advice > 0) return `Valid, with ${advice} ${advice === 1 ? 'piece' : 'pieces'} of advice`
  return 'Valid'
}
