import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { holdRoute } from '../../core/route.ts'
import { Button, IconButton } from './button.tsx'
import { classes } from '../../core/classes.ts'
import style from './dialog.module.css'

/** Options of a dialog. */
export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  /**
   * Whether there are unsaved changes. Escape, a click outside, Back and a reload
   * then ask for confirmation. @default false
   */
  readonly isDirty?: boolean
  readonly children: ComponentChildren
  /** @default a wider dialog */
  readonly size?: 'small'
}

/** A modal dialog that is open while it is rendered. Escape and a click outside close it. */
export function Dialog({ title, onClose, children, isDirty = false, size }: DialogProps) {
  const [isAsking, setAsking] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // The dialog opens before the next key press, which would otherwise be a shortcut.
  useLayoutEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>('input:not([readonly]), footer button')?.focus()
    return () => {
      // The page stays inert until the dialog is removed, and cannot have the focus before.
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
      class={classes(style.dialog, size && style[size])}
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
      <header class={style.header}>
        <h2 class="title" id={titleId}>
          {title}
        </h2>
        <IconButton icon="close" label="Close" onClick={close} />
      </header>
      {isAsking && (
        <div class={style.discard} role="alert">
          <p class="grow strong">Discard your changes?</p>
          <Button small onClick={() => setAsking(false)}>
            Keep editing
          </Button>
          <Button
            look="danger"
            small
            onClick={() => {
              holdRoute(null)
              onClose()
            }}
          >
            Discard
          </Button>
        </div>
      )}
      {children}
    </dialog>
  )
}
