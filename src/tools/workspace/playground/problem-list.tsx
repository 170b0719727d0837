import { plural } from '../core/format.ts'
import { Dot } from '../parts/dot.tsx'
import { Level } from '../parts/findings/level.tsx'
import { RuleId } from '../parts/findings/rule-id.tsx'
import type { Problem, ValidatedText } from './validate-text.ts'
import findingsStyle from '../parts/findings/findings.module.css'
import playgroundStyle from './playground.module.css'

interface ProblemListProps {
  readonly validated: ValidatedText
  readonly onChoose: (problem: Problem) => void
}

const MAX_SHOWN = 100

/** The problems of the text with their lines. Clicking one selects its location. */
export function ProblemList({ validated, onChoose }: ProblemListProps) {
  const { problems } = validated
  const errors = problems.filter(({ level }) => level === 'MUST').length
  return (
    <section class={playgroundStyle.problems} aria-label="Problems">
      <output class={playgroundStyle['problems-verdict']} id="playground-verdict">
        <Dot tone={errors === 0 ? 'good' : 'bad'} />
        {formatVerdict(errors, problems.length - errors)}
      </output>
      <ul>
        {problems.slice(0, MAX_SHOWN).map((problem, index) => (
          <li key={index} class={playgroundStyle['problem-item']}>
            <button type="button" class={playgroundStyle.problem} onClick={() => onChoose(problem)}>
              <span
                class={playgroundStyle['problem-line']}
                title={`Line ${problem.line}, column ${problem.column}`}
              >
                <span class="visually-hidden">Line </span>
                {problem.line}
                <span>:{problem.column}</span>
              </span>
              <Level level={problem.level} />
              <span class={playgroundStyle['problem-text']}>
                {problem.path !== undefined && <code>{problem.path}</code>}
                <span dir="auto">{problem.message}</span>
                <span class={findingsStyle['finding-fix']}>{problem.fix}</span>
              </span>
            </button>
            <RuleId id={problem.rule} />
          </li>
        ))}
        {problems.length > MAX_SHOWN && (
          <li class={playgroundStyle['problem-more']}>{problems.length - MAX_SHOWN} more</li>
        )}
      </ul>
    </section>
  )
}

function formatVerdict(errors: number, warnings: number): string {
  if (errors > 0) return `${plural(errors, 'problem')} to fix`
  if (warnings > 0) return `Valid, ${plural(warnings, 'warning')}`
  return 'Valid'
}
