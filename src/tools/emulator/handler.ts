import { Hono } from 'hono'
import { isSidecardError } from '../../runtime/internal/errors.ts'
import { createApi } from './api/api.ts'
import type { RequestLog } from './api/request-log.ts'
import { InvalidAppError } from './apps/app-record.ts'
import { createControl } from './control/routes.ts'
import type { ControlledEmulator } from './control/workspace-state.ts'
import type { EmulatorContext } from './core/context.ts'
import { randomToken } from './core/ids.ts'
import { ConnectionReset, toTruncatedFetchResponse, TruncatedResponse } from './faults/effects.ts'
import { rejectForeignRequest } from './guard.ts'
import { createPages } from './pages.ts'
import { CONTROL_PREFIX, type ControlProblem } from './protocol/workspace.ts'

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

/** The statuses of errors, if they are not 400. */
const STATUSES: Readonly<Record<string, number>> = {
  wrong_token: 401,
  not_found: 404,
  no_project: 409,
  file_exists: 409,
  not_saveable: 409,
  no_editor: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  cannot_write: 500,
  emulator_failed: 500,
  workspace_not_built: 500,
}

/** Returns the problem response for an error. */
function problemResponse(error: Error): Response {
  const internal = { code: 'emulator_failed', message: `Internal emulator error (${error.name}).` }
  const { code, message: detail } = isSidecardError(error) ? error : internal
  const status = STATUSES[code] ?? 400
  const title = status >= 500 ? 'Internal error' : 'Rejected'
  const path = error instanceof InvalidAppError ? { path: error.path } : {}
  const problem: ControlProblem = { type: 'about:blank', title, status, code, detail, ...path }
  const headers = { 'content-type': 'application/problem+json' }
  return Response.json(problem, { status, headers })
}
