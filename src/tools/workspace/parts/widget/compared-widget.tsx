import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Payload } from '../../../../runtime/contract/generated/types.ts'
import { comparePayloads } from '../../core/compare-payloads.ts'
import { WidgetFrame } from './widget-frame.tsx'
import style from './widget.module.css'

interface ComparedWidgetProps {
  readonly name: string
  readonly label: string
  /** The content that agents see, from {@link comparablePayload}. */
  readonly payload: Payload | null
  /** The payload to compare with; null if there is none. */
  readonly base: Payload | null
  readonly children: ComponentChildren
}

/** A widget that marks its differences from another widget, including missing parts. */
export function ComparedWidget(props: ComparedWidgetProps) {
  const { name, label, payload, base, children } = props
  const frame = useRef<HTMLElement>(null)
  const { changed = [], missing = [] } =
    payload !== null && base !== null ? comparePayloads(payload, base) : {}
  useLayoutEffect(() => {
    for (const element of frame.current?.querySelectorAll('[data-component]') ?? []) {
      const path = element.getAttribute('data-component') ?? ''
      element.toggleAttribute('data-differs', changed.includes(path))
    }
  }, [payload, base])
  return (
    <>
      <WidgetFrame ref={frame} header={payload?.header} name={name} aria-label={label}>
        {children}
      </WidgetFrame>
      {missing.length > 0 && (
        <p class={style.missing}>
          <span class="muted">Not here:</span> {missing.join(', ')}
        </p>
      )}
    </>
  )
}
