import type { z } from 'zod'
import { isSidecardError } from '../../errors.ts'
import { InvalidAppError } from '../host/app-record.ts'
import type { ControlProblem } from '../protocol.ts'

/** A control request that is refused. */
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

/** The first thing that is wrong with a body, by its path. */
export function invalidBody(error: z.ZodError): ControlError {
  const [issue] = error.issues
  const path = issue?.path.map(String).join('.') ?? ''
  return new ControlError(400, 'invalid_body', issue?.message ?? 'The body is not valid.', path)
}

/** An error as the answer that says so. */
export function problemResponse(error: unknown): Response {
  const problem = problemOf(error)
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json' },
  })
}

function problemOf(error: unknown): ControlProblem {
  if (error instanceof ControlError) {
    return describe(error.status, error.code, error.message, error.path)
  }
  if (error instanceof InvalidAppError) {
    return describe(400, error.code, error.message, error.path)
  }
  if (isSidecardError(error)) {
    return describe(error.code === 'not_found' ? 404 : 400, error.code, error.message)
  }
  const kind = error instanceof Error ? error.name : typeof error
  return describe(500, 'emulator_failed', `The emulator itself failed (${kind}).`)
}

function describe(status: number, code: string, detail: string, path?: string): ControlProblem {
  const title = status >= 500 ? 'Internal error' : 'Refused'
  const about = path === undefined || path === '' ? {} : { path }
  return { type: 'about:blank', title, status, code, detail, ...about }
}
