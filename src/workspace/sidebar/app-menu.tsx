import { useState } from 'preact/hooks'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import { connectApp, deleteApp, disconnectApp } from '../state/apps.ts'
import { navigate } from '../core/route.ts'
import { runCheck } from '../state/checks.ts'
import { diagnose } from '../state/diagnostics.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Menu } from '../parts/menu.tsx'
import { routeHash } from '../state/request-as.ts'
import { loadWidget, widgets } from '../state/widgets.ts'

interface AppMenuProps {
  readonly app: AppView
  readonly widgetId: string
}

/** The menu of an app. */
export function AppMenu({ app, widgetId }: AppMenuProps) {
  const [isDeleting, setDeleting] = useState(false)
  const isConnected = app.state === 'connected'
  const exchangeId = widgets.value.get(widgetId)?.view?.exchangeId ?? null
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
            onChoose: () => setDeleting(true),
          },
        ]}
      />
      {isDeleting && (
        <Confirm
          title={`Delete ${app.name}?`}
          text="Removes the app, its widgets and headers from the emulator. Your endpoint is not affected."
          action="Delete"
          onConfirm={() => deleteApp(app)}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}
