import { isSidecardError } from '../../../runtime/internal/errors.ts'
import { InvalidAppError } from '../apps/app-record.ts'
import type { ControlProblem } from '../protocol/workspace.ts'

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
export function problemResponse(error: Error): Response {
  const internal = { code: 'emulator_failed', message: `Internal emulator error (${error.name}).` }
  const { code, message: detail } = isSidecardError(error) ? error : internal
  const status = STATUSES[code] ?? 400
  const title = status >= 500 ? 'Internal error' : 'Rejected'
  const path = error instanceof InvalidAppError ? { path: error.path } : {}
  const problem: ControlProblem = { type: 'about:blank', title, status, code, detail, ...path }
  const headers = { 'content-type': 'application/problem+json' }
  return Response.json(problem, { status, headers })
}
