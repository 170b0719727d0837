import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { ExecutionContext } from 'hono'
import { INCOMING } from '../internal/connection.ts'
import { describeReason } from './describe-reason.ts'
import type { App } from './options.ts'
import { problemResponse } from './problem.ts'

/** Creates the listener that passes requests to an app. */
export function createListener(
  app: App,
  env: object,
  executionContext: ExecutionContext,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const fetch: Parameters<typeof getRequestListener>[0] = (request, { incoming }) => {
    // The action page relies on the request line and the socket, because headers can be forged.
    Object.assign(request, { [INCOMING]: incoming })
    return app.fetch(request, env, executionContext)
  }
  const listener = getRequestListener(fetch, {
    errorHandler(error) {
      if (error instanceof RequestError) return problemResponse(400)
      process.stderr.write(`sidecard: the app failed: ${describeReason(error)}\n`)
      return problemResponse(500)
    },
  })
  acceptPlatformObjects()
  return (request, response) => {
    // HTTP/1.0 does not require a host, and health checks of load balancers send none.
    if (request.httpVersion === '1.0') request.headers.host ||= 'localhost'
    return listener(request, response)
  }
}

/**
 * Makes the platform's objects, such as the response of `fetch()`, instances of
 * the globals again: Hono's adapter replaces `Request` and `Response` with
 * subclasses, which more than doubles its speed.
 */
function acceptPlatformObjects(): void {
  const PlatformResponse = platformClass(Response)
  if (PlatformResponse !== undefined) {
    // The adapter's own class stays unchanged, because the adapter relies on its `instanceof`.
    const Accepting = class Response extends globalThis.Response {}
    acceptInstances(Accepting, PlatformResponse)
    Object.defineProperty(globalThis, 'Response', { value: Accepting })
  }
  const PlatformRequest = platformClass(Request)
  if (PlatformRequest !== undefined) acceptInstances(Request, PlatformRequest)
}

/**
 * Returns the class that a global replaces; `undefined` if there is none, or if
 * the global already accepts its instances.
 */
function platformClass(type: object): object | undefined {
  const parent = Object.getPrototypeOf(type) as object
  const isReplaced = parent !== Function.prototype && !Object.hasOwn(type, Symbol.hasInstance)
  return isReplaced ? parent : undefined
}

function acceptInstances(type: object, platform: object): void {
  const isInstance = Function.prototype[Symbol.hasInstance]
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown) {
      // Subclasses inherit this method, and must only accept their own instances.
      return isInstance.call(this === type ? platform : this, value)
    },
  })
}
