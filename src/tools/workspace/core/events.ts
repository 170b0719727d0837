import { signal } from '@preact/signals'
import type { WorkspaceEvent } from '../../emulator/protocol/workspace.ts'
import { controlFetch } from './control.ts'

/** The state of the connection to the emulator. */
export const connectionStatus = signal<'connecting' | 'live' | 'lost'>('connecting')

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000
const DATA = 'data: '

/**
 * Listens to events of the emulator until the page is closed. It uses `fetch`,
 * because an `EventSource` cannot send the token.
 *
 * @param onOpen called whenever the stream starts, to fetch missed changes
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
      // After a restart, the emulator has another token, which only a reloaded page contains.
      if (wasLive && (response.status === 401 || response.status === 403)) location.reload()
      if (response.ok && response.body !== null) {
        connectionStatus.value = 'live'
        wasLive = true
        waitMs = FIRST_WAIT_MS
        onOpen()
        await read(response.body, onEvent)
      }
    } catch {
      // The emulator was stopped, or is restarting: try again below.
    }
    connectionStatus.value = 'lost'
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
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      // The emulator writes each event in one line. Other blocks are comments.
      if (block.startsWith(DATA)) onEvent(JSON.parse(block.slice(DATA.length)) as WorkspaceEvent)
    }
  }
}
