import type { EventHub } from '../core/events.ts'

/** The interval of the comments that keep the connection alive. */
const HEARTBEAT_MS = 15_000

/**
 * The maximum number of characters that a client may leave unread. Beyond it, a
 * browser reconnects and reads the state again.
 */
const MAX_UNREAD = 16_777_216

/** Returns the events as a stream (text/event-stream) until the client disconnects or stops reading. */
export function eventStream(hub: EventHub, signal: AbortSignal): Response {
  let stop = () => {}
  const stream = new ReadableStream<string>(
    {
      start(controller) {
        const write = (text: string) => {
          controller.enqueue(text)
          if ((controller.desiredSize ?? 0) > -MAX_UNREAD) return
          stop()
          controller.close()
        }
        const unsubscribe = hub.subscribe((event) => write(`data: ${JSON.stringify(event)}\n\n`))
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
    },
    { highWaterMark: 0, size: (text) => text?.length ?? 0 },
  )
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }
  return new Response(stream.pipeThrough(new TextEncoderStream()), { headers })
}
