import { useState } from 'preact/hooks'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import { connectApp, deleteApp, disconnectApp } from '../state/apps.ts'
import { navigate } from '../core/route.ts'
import { workspace } from '../core/workspace.ts'
import { runCheck } from '../state/checks.ts'
import { diagnose } from '../state/diagnostics.ts'
import { Confirm } from '../parts/forms/confirm.tsx'
import { Menu } from '../parts/menu.tsx'
import { routeHash } from '../state/request-as.ts'
import { ShareDialog } from './share-dialog.tsx'
import { loadWidget, widgets } from '../state/widgets.ts'

interface AppMenuProps {
  readonly app: AppView
  readonly widgetId: string
}

/** The menu of an app. */
export function AppMenu({ app, widgetId }: AppMenuProps) {
  const [open, setOpen] = useState<'share' | 'delete' | null>(null)
  const isConnected = app.state === 'connected'
  const view = widgets.value.get(widgetId)?.view
  const exchangeId = view?.exchangeId ?? null
  return (
    <>
      <Menu
        label={`${app.name} menu`}
        items={[
          {
            label: 'Reload',
            icon: 'reload',
            isDisabled: !isConnected,
            onChoose: () => void loadWidget(widgetId),
          },
          {
            label: 'Retry Connection',
            icon: 'plug',
            isDisabled: app.handshaking,
            onChoose: () => void connectApp(app),
          },
          {
            label: 'Disconnect',
            icon: 'close',
            isDisabled: app.state === 'disconnected',
            onChoose: () => void disconnectApp(app),
          },
          {
            label: 'Open in playground',
            icon: 'code',
            isDisabled: !isConnected || exchangeId === null,
            onChoose: () => navigate(routeHash('playground', exchangeId)),
          },
          ...(workspace.value?.siteUrl == null
            ? []
            : [
                {
                  label: 'Share…',
                  icon: 'link' as const,
                  isDisabled: view?.payload == null,
                  onChoose: () => setOpen('share'),
                },
              ]),
          {
            label: 'Check',
            icon: 'check',
            onChoose: () => {
              diagnose(widgetId, 'check')
              void runCheck(app)
            },
          },
          {
            label: 'Edit',
            icon: 'edit',
            onChoose: () => navigate(routeHash('apps', app.id)),
          },
          {
            label: 'Delete',
            icon: 'trash',
            isDangerous: true,
            onChoose: () => setOpen('delete'),
          },
        ]}
      />
      {open === 'share' && exchangeId !== null && (
        <ShareDialog exchangeId={exchangeId} onClose={() => setOpen(null)} />
      )}
      {open === 'delete' && (
        <Confirm
          title={`Delete ${app.name}?`}
          text="Removes the app, its widgets and headers from the emulator. Your endpoint is not affected."
          action="Delete"
          onConfirm={() => deleteApp(app)}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}
