import { Hono } from 'hono'
import { createApi } from './api/api.ts'
import type { RequestLog } from './api/request-log.ts'
import type { EmulatorContext } from './core/context.ts'
import { problemResponse } from './control/problem.ts'
import { createControl } from './control/routes.ts'
import type { ControlledEmulator } from './control/workspace-state.ts'
import { ConnectionReset, toTruncatedFetchResponse, TruncatedResponse } from './faults/effects.ts'
import { rejectForeignRequest } from './guard.ts'
import { randomToken } from './core/ids.ts'
import { createPages } from './pages.ts'
import { CONTROL_PREFIX } from './protocol/workspace.ts'

/** Handles one request. @throws {ConnectionReset} if a fault closes the connection */
export type Handler = (request: Request) => Promise<Response>

/**
 * Creates the handler of the pages, the control routes and the API, behind one guard.
 *
 * @param hosts returns the valid values of `Host`
 */
export function createHandler(
  context: EmulatorContext,
  emulator: ControlledEmulator,
  requests: RequestLog,
  hosts: () => ReadonlySet<string>,
): Handler {
  const token = randomToken()
  const app = new Hono()
  app.use(async (c, next) => rejectForeignRequest(c.req.raw, hosts()) ?? (await next()))
  app.route('/', createPages(emulator, token))
  app.route(CONTROL_PREFIX, createControl(context, emulator, token))
  app.route('/', createApi(context, requests))
  app.onError((error) => {
    if (error instanceof ConnectionReset) throw error
    return problemResponse(error)
  })
  return async (request) => app.fetch(request)
}

/** Converts a handler to a `fetch` function with the same errors as the platform's. */
export function fetchInProcess(handler: Handler): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    try {
      return await handler(request)
    } catch (error) {
      if (error instanceof TruncatedResponse) return toTruncatedFetchResponse(error)
      if (!(error instanceof ConnectionReset)) throw error
      // A real `fetch` throws this error if a connection breaks.
      throw new TypeError('fetch failed', { cause: error })
    }
  }
}
