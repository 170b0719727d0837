import { signal } from '@preact/signals'
import type { WorkspaceEvent } from '../../protocol.ts'
import { controlFetch } from './control.ts'

/** How the page hears from the emulator. */
export const link = signal<'connecting' | 'live' | 'lost'>('connecting')

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000

/**
 * Listens to the emulator for as long as the page lives. It is `fetch` and not
 * an `EventSource`, because that cannot send the token.
 *
 * @param onOpen called each time the stream begins: what was missed must be asked for
 */
export async function listen(
  onEvent: (event: WorkspaceEvent) => void,
  onOpen: () => void,
): Promise<never> {
  let waitMs = FIRST_WAIT_MS
  let wasLive = false
  for (;;) {
    try {
      const response = await controlFetch('events', { headers: { accept: 'text/event-stream' } })
      // The emulator was started anew, and has another token: only a fresh page knows it.
      if (wasLive && (response.status === 401 || response.status === 403)) location.reload()
      if (response.ok && response.body !== null) {
        link.value = 'live'
        wasLive = true
        waitMs = FIRST_WAIT_MS
        onOpen()
        await read(response.body, onEvent)
      }
    } catch {
      // The emulator was stopped, or is starting anew: try again below.
    }
    link.value = 'lost'
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }
}

async function read(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEvent: (event: WorkspaceEvent) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = eventOf(block)
      if (event !== undefined) onEvent(event)
    }
  }
}

/** The event of one block of a `text/event-stream`; undefined for a comment that keeps it open. */
export function eventOf(block: string): WorkspaceEvent | undefined {
  const data = block
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n')
  if (data === '') return undefined
  try {
    return JSON.parse(data) as WorkspaceEvent
  } catch {
    return undefined
  }
}
