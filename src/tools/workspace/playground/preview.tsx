import { useEffect, useRef } from 'preact/hooks'
import type { Payload } from '../../../runtime/contract/generated/types.ts'
import { LastGood } from '../parts/widget/last-good.tsx'
import { WidgetContent } from '../parts/widget/widget-content.tsx'
import { WidgetFrame } from '../parts/widget/widget-frame.tsx'
import { cursorPath, selectRange } from './draft.ts'
import { locatePath } from './json-text.ts'
import type { ValidatedText } from './validate-text.ts'
import sidebarStyle from '../parts/widget/sidebar.module.css'

interface PreviewProps {
  readonly validated: ValidatedText
  readonly text: string
  /** The payload before the text became invalid. */
  readonly lastGood: Payload | null
}

/**
 * The widget as an agent would see it. A click on a component selects its JSON,
 * and the component at the cursor is marked.
 */
export function Preview({ validated, text, lastGood }: PreviewProps) {
  const list = useRef<HTMLDivElement>(null)
  const { payload, outcome } = validated
  const shownText = payload === null ? null : text
  useSelectOnClick(list, shownText)
  useCursorMark(list, shownText)
  return (
    <aside class={sidebarStyle.sidebar} aria-label="Preview">
      <h2 class="visually-hidden">Preview</h2>
      <div class={sidebarStyle.tools}>
        <p class="hint">Click a component to find its JSON. Ctrl-click opens links.</p>
      </div>
      <div class={sidebarStyle.list} ref={list}>
        <WidgetFrame header={(payload ?? lastGood)?.header} name="Your widget" aria-label="Widget">
          <WidgetContent payload={payload} outcome={outcome} />
        </WidgetFrame>
        {payload === null && lastGood !== null && (
          <LastGood payload={lastGood} label="Last valid version" />
        )}
      </div>
    </aside>
  )
}

type List = { readonly current: HTMLElement | null }

function useSelectOnClick(list: List, text: string | null): void {
  useEffect(() => {
    const element = list.current
    if (element === null || text === null) return undefined
    const onClick = (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return
      const place = event.target.closest<HTMLElement>('[data-path], [data-component]')
      const path = place?.dataset['path'] ?? place?.dataset['component']
      if (path === undefined) return
      event.preventDefault()
      selectRange(locatePath(text, path))
    }
    element.addEventListener('click', onClick)
    return () => {
      element.removeEventListener('click', onClick)
    }
  }, [text])
}

function useCursorMark(list: List, text: string | null): void {
  const path = cursorPath.value
  useEffect(() => {
    const element = list.current
    const current = path === '' ? null : element?.querySelector(`[data-component="${path}"]`)
    current?.toggleAttribute('data-current', true)
    current?.scrollIntoView({ block: 'nearest' })
    return () => current?.removeAttribute('data-current')
  }, [path, text])
}
