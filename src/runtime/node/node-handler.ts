import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { BackgroundWork } from './background.ts'
import { describeReason } from './describe-reason.ts'
import { guardResponse } from './guarded-response.ts'
import { createListener } from './listener.ts'
import { type App, assertApp, type NodeHandlerOptions, resolveEnv } from './options.ts'
import { reportSetupProblems } from './setup.ts'

/** A request listener of `node:http` and `node:http2`. */
export interface NodeHandler {
  (
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ): void
  /**
   * Waits for background work, such as audit records, promises of `ctx.waitUntil()`
   * and cache entries. Call it after your server has closed its connections.
   */
  settled(): Promise<void>
}

/**
 * Creates a request handler from an app, for `node:http`, `node:http2`, Express, Fastify and
 * similar servers. The app sees the path of `request.url`, which Express shortens
 * for a handler that is mounted at a path.
 *
 * A missing secret or an invalid environment binding is reported on standard
 * error, as by `serve()`. Timeouts, signals and a graceful stop are the server's
 * responsibility: after it has closed its connections, await `handler.settled()`.
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/with-your-stack.md#express
 * @example
 * express().use('/sidebar', toNodeHandler(app)).listen(8787)
 */
export function toNodeHandler(app: App, options: NodeHandlerOptions = {}): NodeHandler {
  assertApp('toNodeHandler', app)
  const env = resolveEnv(options)
  void reportSetupProblems(app, env)
  const background = new BackgroundWork()
  const listener = createListener(app, env, background.executionContext)
  const handle = (...args: Parameters<NodeHandler>) => {
    // The objects of `node:http2` have every member that the adapter uses.
    const [request, response] = args as [IncomingMessage, ServerResponse]
    guardResponse(response)
    // The listener rejects, for example, if the framework's middleware has already responded.
    listener(request, response).catch((error: unknown) => {
      process.stderr.write(`sidecard: a response was not sent: ${describeReason(error)}\n`)
    })
  }
  return Object.assign(handle, { settled: () => background.settle() })
}
