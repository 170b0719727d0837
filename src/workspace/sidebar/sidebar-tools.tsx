import { navigate } from '../core/route.ts'
import { issueId } from '../issues/issue.ts'
import { Button } from '../parts/button.tsx'
import { Menu } from '../parts/menu.tsx'
import { copyLink } from './copy-link.ts'
import { DisplayOptions } from './display-options.tsx'
import { RequestAsControl, RequestBanner } from './request-as-control.tsx'
import { routeHash } from './request-as.ts'
import { loadWidgets } from './widgets.ts'
import style from './sidebar.module.css'

/** The tools above the sidebar: the IDs of the requests, and display options. */
export function SidebarTools({ truncatedCount }: { readonly truncatedCount: number }) {
  return (
    <div class={style.tools}>
      <RequestAsControl />
      <DisplayOptions truncatedCount={truncatedCount} />
      <div class={style['tool-row']}>
        <Button small icon="grid" href={routeHash('states', issueId.value)}>
          All states
        </Button>
        <div class={style.tool}>
          <Button small icon="reload" onClick={() => void loadWidgets()} title="Reload widgets (r)">
            Reload
          </Button>
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
