import {
  CONTROL_PREFIX,
  type ControlProblem,
  TOKEN_HEADER,
} from '../../emulator/protocol/workspace.ts'
import type {
  PathParameters,
  RouteBody,
  RouteName,
  RouteResult,
} from '../../emulator/protocol/routes.ts'

/** The error of a control request that was rejected or got no response. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  /** The rejected field of the body; empty if it is not known. */
  readonly path: string

  constructor(message: string, path = '') {
    super(message)
    this.path = path
  }
}

/** Returns the session token, which the emulator wrote into the page. */
function token(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="sidecard-token"]')?.content ?? ''
}

/** Sends a control request and returns the response with any status. */
export async function controlFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set(TOKEN_HEADER, token())
  return fetch(CONTROL_PREFIX + path, { ...init, headers, cache: 'no-store', redirect: 'error' })
}

/** The arguments of a route: its path parameters if it has any, then its body if it has one. */
type CallArguments<Name extends RouteName> = [
  ...(keyof PathParameters<Name> extends never ? [] : [parameters: PathParameters<Name>]),
  ...(RouteBody<Name> extends undefined ? [] : [body: RouteBody<Name>]),
]

/**
 * Calls a route of the emulator: `control('PATCH apps/:appId', { appId }, change)`.
 *
 * @throws {ControlError} if the emulator rejects the request, with its reason, or does not respond.
 */
export async function control<Name extends RouteName>(
  name: Name,
  ...given: CallArguments<Name>
): Promise<RouteResult<Name>> {
  const [method = '', template = ''] = name.split(' ')
  const rest: unknown[] = [...given]
  const parameters = template.includes(':') ? (rest.shift() as Record<string, string>) : {}
  const path = template.replaceAll(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(parameters[key] ?? ''),
  )
  // The emulator rejects changes that are not declared as JSON, so that HTML forms cannot send
  // them.
  const json = method === 'GET' ? undefined : JSON.stringify(rest[0] ?? {})
  const response = await controlFetch(path, {
    method,
    ...(json !== undefined && { body: json, headers: { 'content-type': 'application/json' } }),
  }).catch(() => {
    throw new ControlError('Cannot reach the emulator. Is it still running?')
  })
  if (response.status === 204) return undefined
  const value: unknown = await response.json().catch(() => null)
  if (response.ok) return value as RouteResult<Name>
  const { detail, path: field } = (value ?? {}) as Partial<ControlProblem>
  throw new ControlError(detail ?? `The emulator returned ${response.status}.`, field)
}

/** Returns the message of an error in one sentence. */
export function errorMessage(error: unknown): string {
  return error instanceof ControlError ? error.message : 'Something went wrong in the workspace.'
}
