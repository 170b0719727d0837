import type { Finding } from '../../../desk/rules/rule.ts'
import { FindingList } from '../parts/finding-list.tsx'
import { hashOf } from '../state/route.ts'

interface AuthorNoteProps {
  readonly message: string
  readonly remedy: string
  readonly findings: readonly Finding[]
  readonly exchangeId: string | null
}

const MOST_SHOWN = 3

/** What went wrong and what to do, for the author of the app; an agent never sees it. */
export function AuthorNote({ message, remedy, findings, exchangeId }: AuthorNoteProps) {
  const worst = findings.filter(({ level }) => level === 'MUST')
  const more = worst.length - MOST_SHOWN
  return (
    <div class="author-note">
      <p class="author-tag">For you, the author. Agents do not see this.</p>
      {worst.length > 0 ? (
        <FindingList findings={worst.slice(0, MOST_SHOWN)} />
      ) : (
        <>
          <p class="finding-message" dir="auto">
            {message}
          </p>
          <p class="finding-fix">{remedy}</p>
        </>
      )}
      {exchangeId !== null && (
        <a class="author-link" href={hashOf('inspector', exchangeId)}>
          {more > 0 ? `${more} more, and the whole answer, in the inspector` : 'Open in inspector'}
        </a>
      )}
    </div>
  )
}
