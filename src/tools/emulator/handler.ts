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
import type { Listener } from './listener/listen.ts'
import { createPages } from './pages.ts'
import { CONTROL_PREFIX, type ControlProblem } from './protocol/workspace.ts'
import { rejectRemoteStart, rejectStranger } from './visitor.ts'

/** Handles one request. @throws {ConnectionReset} if a fault closes the connection */
export type Handler = (request: Request, isLocal?: boolean) => Promise<Response>

/** Who may send requests: the valid values of `Host`, and the token that a visitor needs. */
export type Access = Pick<Listener, 'hosts' | 'token'>

/**
 * Creates the handler of the pages, the control routes and the API, behind one guard.
 *
 * @param access returns who may send requests
 */
export function createHandler(
  context: EmulatorContext,
  emulator: ControlledEmulator,
  requests: RequestLog,
  access: () => Access,
): Handler {
  const token = randomToken()
  const app = new Hono<{ Bindings: { readonly isLocal: boolean } }>()
  app.use(async (c, next) => {
    const { hosts, token: visitor } = access()
    const { raw } = c.req
    const rejection =
      rejectForeignRequest(raw, hosts) ??
      (visitor === undefined ? undefined : rejectStranger(raw, visitor)) ??
      rejectRemoteStart(raw, c.env.isLocal)
    return rejection ?? (await next())
  })
  app.route('/', createPages(emulator, token))
  app.route(CONTROL_PREFIX, createControl(context, emulator, token))
  app.route('/', createApi(context, requests))
  app.onError((error) => {
    if (error instanceof ConnectionReset) throw error
    return problemResponse(error)
  })
  return async (request, isLocal = true) => app.fetch(request, { isLocal })
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
