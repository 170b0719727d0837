import { copyText } from '../core/copy-text.ts'
import { shownExchanges } from './exchanges.ts'
import { issueId } from './issue.ts'
import { requestAs, toQuery } from './request-as.ts'
import { formatRoute, route } from '../core/route.ts'

/** Copies a link to the current state, with custom IDs only if `withIds` is true. */
export async function copyLink(withIds: boolean): Promise<void> {
  const current = requestAs.peek()
  const state = withIds ? current : { ...current, params: {} }
  const fragment = formatRoute(route.peek().view, findOpenId(), toQuery(state))
  await copyText(new URL(fragment, location.href).href, withIds ? 'link with IDs' : 'link')
}

/** Returns what the view shows, even if the fragment does not name it. */
function findOpenId(): string | null {
  const { view, id } = route.peek()
  if (view === 'issues' || view === 'sidebar' || view === 'states') return issueId.peek()
  return id ?? (view === 'inspector' ? (shownExchanges.peek()[0]?.id ?? null) : null)
}
