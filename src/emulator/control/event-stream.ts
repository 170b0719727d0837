import type { EventHub } from '../events.ts'
import type { WorkspaceEvent } from '../protocol/workspace.ts'

/** The interval of the comments that keep the connection alive. */
const HEARTBEAT_MS = 15_000

/** Returns the events as a stream (text/event-stream) until the client disconnects. */
export function eventStream(hub: EventHub, signal: AbortSignal): Response {
  const encoder = new TextEncoder()
  let stop = () => {}
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => controller.enqueue(encoder.encode(text))
      const unsubscribe = hub.subscribe((event: WorkspaceEvent) =>
        write(`data: ${JSON.stringify(event)}\n\n`),
      )
      const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS)
      // An open stream must not keep the process alive.
      ;(heartbeat as { unref?: () => void }).unref?.()
      stop = () => {
        unsubscribe()
        clearInterval(heartbeat)
      }
      signal.addEventListener('abort', () => stop(), { once: true })
      write(': connected\n\n')
    },
    cancel: () => stop(),
  })
  return new Response(stream, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  })
}
