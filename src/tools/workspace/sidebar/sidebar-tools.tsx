import { showsTruncation } from '../core/preferences.ts'
import { set } from '../core/set.ts'
import { navigate } from '../core/route.ts'
import { issueId } from '../state/issue.ts'
import { Button, IconButton } from '../parts/forms/button.tsx'
import { Menu } from '../parts/menu.tsx'
import { editsRequest, RequestAsControl, RequestBanner } from './request-as-control.tsx'
import { routeHash } from '../state/request-as.ts'
import { loadWidgets } from '../state/widgets.ts'
import style from '../parts/widget/sidebar.module.css'

/**
 * The tools above the sidebar: the requested customer or state, reload, and a menu
 * with the rest.
 */
export function SidebarTools({ truncatedCount }: { readonly truncatedCount: number }) {
  const marksTruncation = showsTruncation.value
  return (
    <div class={style.tools}>
      <div class="row">
        <RequestAsControl />
        <IconButton
          icon="reload"
          label="Reload widgets"
          title="Reload widgets (r)"
          onClick={() => void loadWidgets()}
        />
        <Menu
          label="More sidebar tools"
          items={[
            {
              label: 'Custom request',
              icon: 'edit',
              onChoose: set(editsRequest, true),
            },
            {
              label: marksTruncation ? 'Hide truncation' : 'Show truncation',
              icon: 'search',
              onChoose: set(showsTruncation, !marksTruncation),
            },
            {
              label: 'Sidebar only',
              icon: 'out',
              onChoose: () => navigate(routeHash('sidebar', issueId.peek())),
            },
          ]}
        />
      </div>
      {marksTruncation && (
        <Button look="toggle" aria-pressed onClick={set(showsTruncation, false)}>
          {truncatedCount === 0 ? 'Nothing truncated' : `${truncatedCount} truncated`}
        </Button>
      )}
      <RequestBanner />
    </div>
  )
}
