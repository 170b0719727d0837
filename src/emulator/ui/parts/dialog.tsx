import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { holdRoute } from '../state/route.ts'
import { Icon } from './icon.tsx'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  /**
   * Whether there are unsaved changes. Escape, a click outside, Back and a reload
   * then ask for confirmation. @default false
   */
  readonly isDirty?: boolean
  readonly children: ComponentChildren
  /** @default 'medium' */
  readonly size?: 'small' | 'medium' | 'large'
}

/** A modal dialog that is open while it is rendered. Escape and a click outside close it. */
export function Dialog({
  title,
  onClose,
  children,
  isDirty = false,
  size = 'medium',
}: DialogProps) {
  const [isAsking, setAsking] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // It opens before the next key, which would otherwise be a shortcut.
  useLayoutEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    dialog.current
      ?.querySelector<HTMLElement>('input:not([readonly]), .dialog-footer button')
      ?.focus()
    return () => {
      // The page is inert until the dialog is removed.
      queueMicrotask(() => {
        if (opener instanceof HTMLElement) opener.focus()
      })
    }
  }, [])
  useLayoutEffect(() => {
    if (!isDirty) return undefined
    const onUnload = (event: Event) => {
      event.preventDefault()
    }
    addEventListener('beforeunload', onUnload)
    holdRoute(() => {
      setAsking(true)
    })
    return () => {
      removeEventListener('beforeunload', onUnload)
      holdRoute(null)
    }
  }, [isDirty])
  const close = () => {
    if (isDirty) setAsking(true)
    else onClose()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a click outside closes it, as do Escape and the button
    <dialog
      ref={dialog}
      class={`dialog dialog-${size}`}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        close()
      }}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClose={() => {
        // On repeated close requests, browsers close a dialog without an event that the page can
        // cancel.
        if (isDirty) dialog.current?.showModal()
        close()
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) close()
      }}
    >
      <header class="dialog-header">
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {isAsking && (
        <div class="discard" role="alert">
          <p>Discard your changes?</p>
          <button
            type="button"
            class="button button-small"
            onClick={() => {
              setAsking(false)
            }}
          >
            Keep editing
          </button>
          <button
            type="button"
            class="button button-small button-danger"
            onClick={() => {
              holdRoute(null)
              onClose()
            }}
          >
            Discard
          </button>
        </div>
      )}
      {children}
    </dialog>
  )
}
