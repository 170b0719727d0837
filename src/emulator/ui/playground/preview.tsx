import { useEffect, useRef } from 'preact/hooks'
import type { Payload } from '../../../contract/generated/types.ts'
import { Icon } from '../parts/icon.tsx'
import { sidebarWidth } from '../state/preferences.ts'
import { DisplayOptions } from '../sidebar/display-options.tsx'
import { IconImage } from '../sidebar/icon-image.tsx'
import { LastGood } from '../sidebar/last-good.tsx'
import { PayloadView } from '../sidebar/payload-view.tsx'
import { useTruncation } from '../sidebar/truncation.ts'
import { agentMessage } from '../sidebar/widget-content.tsx'
import { cursorPath, selectRange } from './draft.ts'
import { componentPath } from './json-path.ts'
import { locatePaths } from './locate-paths.ts'
import type { ValidatedText } from './validate-text.ts'

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
  const truncatedCount = useTruncation(list)
  const isValid = validated.outcome === 'rendered'
  const header = (isValid ? validated.payload : lastGood)?.header
  useSelectOnClick(list, isValid ? text : null)
  useCursorMark(list, isValid ? text : null)
  return (
    <aside class="sidebar" aria-label="Preview" style={{ width: `${sidebarWidth.value}px` }}>
      <h2 class="visually-hidden">Preview</h2>
      <div class="sidebar-tools">
        <DisplayOptions truncatedCount={truncatedCount} />
        <p class="hint">Click a component to find its JSON. Ctrl-click opens links.</p>
      </div>
      <div class="sidebar-list" ref={list}>
        <section class="widget" aria-label="Widget">
          <header class="widget-header" data-component="header">
            <IconImage url={header?.icon_url} />
            <h3 class="cut" dir="auto" data-path="header.title">
              {header?.title || 'Your widget'}
            </h3>
          </header>
          <div class="widget-body">
            {isValid ? (
              <PayloadView payload={validated.payload} />
            ) : (
              <div class="agent-error">
                <Icon name="alert" />
                <p>{agentMessage(validated.outcome)}</p>
              </div>
            )}
          </div>
        </section>
        {!isValid && lastGood !== null && (
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
      const { from, to } = locatePaths(text, [path])(path)
      selectRange(from, to)
    }
    element.addEventListener('click', onClick)
    return () => {
      element.removeEventListener('click', onClick)
    }
  }, [text])
}

function useCursorMark(list: List, text: string | null): void {
  const path = componentPath(cursorPath.value) ?? ''
  useEffect(() => {
    const element = list.current
    const current =
      path === '' ? null : element?.querySelector(`.widget [data-component="${path}"]`)
    current?.classList.add('is-current')
    current?.scrollIntoView({ block: 'nearest' })
    return () => current?.classList.remove('is-current')
  }, [path, text])
}
