import { useState } from 'preact/hooks'
import type { AppView } from '../../protocol.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Menu } from '../parts/menu.tsx'
import { connectApp, deleteApp, disconnectApp } from '../state/apps.ts'
import { go, hashOf } from '../state/route.ts'
import { loadWidget, widgets } from '../state/widgets.ts'

interface AppMenuProps {
  readonly app: AppView
  readonly widgetId: string
}

/** What can be done with an app. */
export function AppMenu({ app, widgetId }: AppMenuProps) {
  const [isDeleting, setDeleting] = useState(false)
  const isConnected = app.state === 'connected'
  const exchangeId = widgets.value.get(widgetId)?.view?.exchangeId ?? null
  return (
    <>
      <Menu
        label={`Menu of ${app.name}`}
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
            onChoose: () => {
              if (exchangeId !== null) go(hashOf('playground', exchangeId))
            },
          },
          {
            label: 'Check',
            icon: 'check',
            onChoose: () => {
              go(hashOf('checks', app.id))
            },
          },
          {
            label: 'Edit',
            icon: 'edit',
            onChoose: () => {
              go(hashOf('apps', app.id))
            },
          },
          {
            label: 'Delete',
            icon: 'trash',
            isDangerous: true,
            onChoose: () => {
              setDeleting(true)
            },
          },
        ]}
      />
      {isDeleting && (
        <Confirm
          title={`Delete ${app.name}?`}
          text="The app, its widgets and its headers are removed from the emulator. Your endpoint is not touched."
          action="Delete"
          onConfirm={() => deleteApp(app)}
          onClose={() => {
            setDeleting(false)
          }}
        />
      )}
    </>
  )
}
