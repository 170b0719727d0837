import type { Context } from 'hono'
import type { ResolvedOptions } from './options.ts'
import { CODE_TOO_LONG, MISSING_CODE, type Problem } from './problem.ts'
import { logRequest } from './request-log.ts'
import { respond } from './respond.ts'

/** In UTF-16 units (A6). */
const MAX_CODE_LENGTH = 512

/** Returns why the code of a handshake is invalid (A6), or `undefined` if it is valid. */
export function validateCode(code: string | undefined): Problem | undefined {
  if (!code) return MISSING_CODE
  return code.length > MAX_CODE_LENGTH ? CODE_TOO_LONG : undefined
}

/** Responds to a handshake with its code, in either form of the contract. */
export function respondToHandshake(
  c: Context,
  code: string,
  app: ResolvedOptions,
  startedAtMs: number,
): Response {
  logRequest(app, 'info', { requestType: 'verify', status: 200, outcome: 'ok' }, startedAtMs)
  const form = app.handshake
  return respond(c, form === 'json' ? JSON.stringify({ code }) : code, form, 200)
}
