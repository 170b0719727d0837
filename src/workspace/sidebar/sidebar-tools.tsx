import { set } from '../core/set.ts'
import { navigate } from '../core/route.ts'
import { issueId } from '../issues/issue.ts'
import { IconButton } from '../parts/button.tsx'
import { Menu } from '../parts/menu.tsx'
import { displayItems, TruncationToggle } from './display-options.tsx'
import { copyLink } from './copy-link.ts'
import { editsIds, RequestAsControl, RequestBanner } from './request-as-control.tsx'
import { routeHash } from './request-as.ts'
import { loadWidgets } from './widgets.ts'
import style from './sidebar.module.css'

/** The row of tools above the sidebar: whose data is requested, reload, and a menu with the rest. */
export function SidebarTools({ truncatedCount }: { readonly truncatedCount: number }) {
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
              label: 'Edit IDs',
              icon: 'edit',
              onChoose: set(editsIds, true),
            },
            {
              label: 'All states',
              icon: 'grid',
              onChoose: () => navigate(routeHash('states', issueId.peek())),
            },
            ...displayItems(),
            {
              label: 'Sidebar only',
              icon: 'out',
              onChoose: () => navigate(routeHash('sidebar', issueId.peek())),
            },
            { label: 'Copy link', icon: 'link', onChoose: () => void copyLink(false) },
            { label: 'Copy link with IDs', icon: 'link', onChoose: () => void copyLink(true) },
          ]}
        />
      </div>
      <TruncationToggle truncatedCount={truncatedCount} />
      <RequestBanner />
    </div>
  )
}
