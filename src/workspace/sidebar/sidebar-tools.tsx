import { showsTruncation, SIDEBAR_WIDTHS, sidebarWidth } from '../core/preferences.ts'
import { navigate } from '../core/route.ts'
import { issueId } from '../issues/issue.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { Menu } from '../parts/menu.tsx'
import { copyLink } from './copy-link.ts'
import { editsIds, RequestAsControl, RequestBanner } from './request-as-control.tsx'
import { routeHash } from './request-as.ts'
import { loadWidgets } from './widgets.ts'
import style from './sidebar.module.css'

/** The row of tools above the sidebar: whose data is requested, reload, and a menu with the rest. */
export function SidebarTools({ truncatedCount }: { readonly truncatedCount: number }) {
  const isOn = showsTruncation.value
  return (
    <div class={style.tools}>
      <div class={style['tool-row']}>
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
              onChoose: () => {
                editsIds.value = true
              },
            },
            {
              label: 'All states',
              icon: 'grid',
              onChoose: () => navigate(routeHash('states', issueId.peek())),
            },
            {
              label: isOn ? 'Hide truncation' : 'Show truncation',
              icon: 'search',
              onChoose: () => {
                showsTruncation.value = !isOn
              },
            },
            ...SIDEBAR_WIDTHS.map((width) => ({
              label: `${width} pixels wide`,
              icon: width === sidebarWidth.value ? ('check' as const) : ('sidebar' as const),
              onChoose: () => {
                sidebarWidth.value = width
              },
            })),
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
      {isOn && (
        <Button
          look="toggle"
          aria-pressed
          onClick={() => {
            showsTruncation.value = false
          }}
        >
          {truncatedCount === 0 ? 'Nothing truncated' : `${truncatedCount} truncated`}
        </Button>
      )}
      <RequestBanner />
    </div>
  )
}
