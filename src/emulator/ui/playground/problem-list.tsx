import { RuleId } from '../parts/rule-id.tsx'
import type { Problem, ValidatedText } from './validate-text.ts'

interface ProblemListProps {
  readonly validated: ValidatedText
  readonly onChoose: (problem: Problem) => void
}

const MAX_SHOWN = 100

/** The problems of the text with their lines. Choosing one selects its location. */
export function ProblemList({ validated, onChoose }: ProblemListProps) {
  const { problems } = validated
  const errors = problems.filter(({ level }) => level === 'MUST').length
  return (
    <section class="problems" aria-label="Problems">
      <output class="problems-verdict" id="playground-verdict">
        <span class={`dot ${errors === 0 ? 'dot-good' : 'dot-bad'}`} />
        {formatVerdict(errors, problems.length - errors)}
      </output>
      <ul>
        {problems.slice(0, MAX_SHOWN).map((problem, index) => (
          <li key={index} class="problem-item">
            <button
              type="button"
              class="problem"
              onClick={() => {
                onChoose(problem)
              }}
            >
              <span class="problem-line" title={`Line ${problem.line}, column ${problem.column}`}>
                <span class="visually-hidden">Line </span>
                {problem.line}
                <span class="problem-column">:{problem.column}</span>
              </span>
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
        {problems.length > MAX_SHOWN && (
          <li class="problem-more muted">{problems.length - MAX_SHOWN} more</li>
        )}
      </ul>
    </section>
  )
}

function formatVerdict(errors: number, warnings: number): string {
  if (errors > 0) return `${errors} ${errors === 1 ? 'problem' : 'problems'} to fix`
  if (warnings > 0) return `Valid, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`
  return 'Valid'
}
