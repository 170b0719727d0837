import { CONTROL_PREFIX, TOKEN_HEADER } from '../../protocol.ts'
import type { ControlProblem } from '../../protocol.ts'

/** A control request that was refused, or that got no answer. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly problem: ControlProblem | undefined

  constructor(message: string, problem?: ControlProblem) {
    super(message)
    this.problem = problem
  }
}

const UNREACHABLE = 'The emulator does not answer. Is it still running?'

/** The token of this run, which the emulator wrote into the page. */
function token(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="sidecard-token"]')?.content ?? ''
}

/** Sends a control request as it is; the answer may have any status. */
export async function controlFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set(TOKEN_HEADER, token())
  return fetch(CONTROL_PREFIX + path, { ...init, headers, cache: 'no-store', redirect: 'error' })
}

/**
 * Asks the emulator.
 *
 * @throws {ControlError} when it refuses, with its reason, or does not answer.
 */
export async function control<Answer>(
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Answer> {
  // The emulator refuses changes that are not declared as JSON, so that no form can send one.
  const json = method === 'GET' ? undefined : JSON.stringify(body ?? {})
  const response = await answered(
    controlFetch(path, {
      method,
      ...(json !== undefined && { body: json, headers: { 'content-type': 'application/json' } }),
    }),
  )
  if (response.status === 204) return undefined as Answer
  const value: unknown = await response.json().catch(() => undefined)
  if (response.ok) return value as Answer
  const problem = isProblem(value) ? value : undefined
  throw new ControlError(problem?.detail ?? `The emulator answered ${response.status}.`, problem)
}

/** The answer, or the one error that every lost connection becomes. */
export async function answered(response: Promise<Response>): Promise<Response> {
  try {
    return await response
  } catch {
    throw new ControlError(UNREACHABLE)
  }
}

/** What went wrong, in one sentence for a person. */
export function reasonOf(error: unknown): string {
  return error instanceof ControlError ? error.message : 'Something went wrong in the workspace.'
}

function isProblem(value: unknown): value is ControlProblem {
  return (
    typeof value === 'object' &&
    value !== null &&
    'detail' in value &&
    typeof value.detail === 'string'
  )
}
