import type { Context } from 'hono'
import { isDeveloperRequest } from './developer-request.ts'
import type { ResolvedOptions } from './resolve-options.ts'
import type { ProblemCode } from './problem.ts'
import { logRequest } from './request-log.ts'
import { respond } from './respond.ts'

/** In UTF-16 units (A6). */
const MAX_CODE_LENGTH = 512

/** Returns why the code of a handshake is invalid (A6), or `undefined` if it is valid. */
export function validateCode(code: string | undefined): ProblemCode | undefined {
  if (!code) return 'missing_code'
  return code.length > MAX_CODE_LENGTH ? 'code_too_long' : undefined
}

/** Responds to a handshake with its code, in either form of the contract. */
export function respondToHandshake(
  c: Context,
  code: string,
  app: ResolvedOptions,
  startedAtMs: number,
): Response {
  // Tools of a developer perform many handshakes, to notice new code.
  const level = isDeveloperRequest(c) ? 'debug' : 'info'
  logRequest(app, level, { requestType: 'verify', status: 200, outcome: 'ok' }, startedAtMs)
  const form = app.handshake
  return respond(c, form === 'json' ? JSON.stringify({ code }) : code, form, 200)
}
