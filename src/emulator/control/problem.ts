import type { z } from 'zod'
import { isSidecardError } from '../../internal/errors.ts'
import { formatPath } from '../format-issue.ts'
import { InvalidAppError } from '../host/app-record.ts'
import type { ControlProblem } from '../protocol/workspace.ts'

/** The error of a rejected control request. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly status: number
  readonly code: string
  readonly path: string | undefined

  constructor(status: number, code: string, detail: string, path?: string) {
    super(detail)
    this.status = status
    this.code = code
    this.path = path
  }
}

/** Returns an error with the path of the first mistake in a body. */
export function invalidBody(error: z.ZodError): ControlError {
  const [issue] = error.issues
  const path = formatPath(issue?.path ?? [])
  return new ControlError(400, 'invalid_body', describeIssue(issue), path)
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code !== 'too_big' || issue.origin !== 'string') {
    return issue?.message ?? 'The body is not valid.'
  }
  return `Use at most ${issue.maximum.toLocaleString('en')} characters.`
}

/** The statuses of errors, if they are not 400. */
const STATUSES: Readonly<Record<string, number>> = {
  not_found: 404,
  no_project: 409,
  not_connected: 409,
  app_required: 409,
  file_exists: 409,
  not_saveable: 409,
  no_editor: 409,
  cannot_write: 500,
}

/** Returns the problem response for an error. */
export function problemResponse(error: unknown): Response {
  const problem = toProblem(error)
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json' },
  })
}

function toProblem(error: unknown): ControlProblem {
  if (error instanceof ControlError) {
    return describe(error.status, error.code, error.message, error.path)
  }
  if (error instanceof InvalidAppError) {
    return describe(400, error.code, error.message, error.path)
  }
  if (isSidecardError(error)) {
    return describe(STATUSES[error.code] ?? 400, error.code, error.message)
  }
  const kind = error instanceof Error ? error.name : typeof error
  return describe(500, 'emulator_failed', `Internal emulator error (${kind}).`)
}

function describe(status: number, code: string, detail: string, path?: string): ControlProblem {
  const title = status >= 500 ? 'Internal error' : 'Rejected'
  const pathField = path === undefined || path === '' ? {} : { path }
  return { type: 'about:blank', title, status, code, detail, ...pathField }
}
