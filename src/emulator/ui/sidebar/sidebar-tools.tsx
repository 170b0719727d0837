import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { issueId } from '../state/issue.ts'
import { routeHash } from '../state/request-as.ts'
import { navigate } from '../state/route.ts'
import { loadWidgets } from '../state/widgets.ts'
import { copyLink } from './copy-link.ts'
import { DisplayOptions } from './display-options.tsx'
import { RequestAsControl, RequestBanner } from './request-as-control.tsx'

/** The tools above the sidebar: the IDs of the requests, and display options. */
export function SidebarTools({ truncatedCount }: { readonly truncatedCount: number }) {
  return (
    <div class="sidebar-tools">
      <RequestAsControl />
      <DisplayOptions truncatedCount={truncatedCount} />
      <div class="tool-row">
        <a class="button button-small" href={routeHash('states', issueId.value)}>
          <Icon name="grid" />
          All states
        </a>
        <div class="tool">
          <button
            type="button"
            class="button button-small"
            onClick={() => void loadWidgets()}
            title="Reload widgets (r)"
          >
            <Icon name="reload" />
            Reload
          </button>
          <Menu
            label="More sidebar tools"
            items={[
              { label: 'Copy link', icon: 'link', onChoose: () => void copyLink(false) },
              { label: 'Copy link with IDs', icon: 'link', onChoose: () => void copyLink(true) },
              {
                label: 'Sidebar only',
                icon: 'sidebar',
                onChoose: () => {
                  navigate(routeHash('sidebar', issueId.peek()))
                },
              },
            ]}
          />
        </div>
      </div>
      <RequestBanner />
    </div>
  )
}
