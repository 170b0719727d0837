import { useRef } from 'preact/hooks'
import type { Payload } from '../../../contract/payload.ts'
import { Icon } from '../parts/icon.tsx'
import { sidebarWidth } from '../state/preferences.ts'
import { IconImage } from '../sidebar/icon-image.tsx'
import { LookTools } from '../sidebar/look-tools.tsx'
import { LastGood } from '../sidebar/last-good.tsx'
import { PayloadView } from '../sidebar/payload-view.tsx'
import { useTruncation } from '../sidebar/truncation.ts'
import { agentMessage } from '../sidebar/widget-answer.tsx'
import type { Judged } from './judge.ts'

interface PreviewProps {
  readonly judged: Judged
  /** What the text showed before it was broken. */
  readonly lastGood: Payload | null
}

/** What an agent would see of the text in the editor. */
export function Preview({ judged, lastGood }: PreviewProps) {
  const list = useRef<HTMLDivElement>(null)
  const cutCount = useTruncation(list)
  const header = (judged.outcome === 'rendered' ? judged.payload : lastGood)?.header
  return (
    <aside class="sidebar" aria-label="Preview" style={{ width: `${sidebarWidth.value}px` }}>
      <h2 class="visually-hidden">Preview</h2>
      <div class="sidebar-tools">
        <LookTools cutCount={cutCount} />
      </div>
      <div class="sidebar-list" ref={list}>
        <section class="widget" aria-label="Widget">
          <header class="widget-header">
            <IconImage url={header?.icon_url} />
            <h3 class="cut" dir="auto" data-path="header.title">
              {header?.title || 'Your widget'}
            </h3>
          </header>
          <div class="progress" aria-hidden="true" />
          <div class="widget-body">
            {judged.outcome === 'rendered' ? (
              <PayloadView payload={judged.payload} />
            ) : (
              <>
                <div class="agent-error">
                  <Icon name="alert" />
                  <p>{agentMessage(judged.outcome)}</p>
                </div>
                {lastGood !== null && <LastGood payload={lastGood} what="The last valid text" />}
              </>
            )}
          </div>
        </section>
      </div>
    </aside>
  )
}
