import { SidecardError } from '../../../runtime/internal/errors.ts'
import { hasMethods } from '../../../runtime/internal/read-options.ts'

/** An in-process endpoint: a Hono app, a Worker's default export, or any object with `fetch`. */
export interface FetchTarget {
  fetch(request: Request): Response | Promise<Response>
}

/** The URL of an endpoint, or an in-process endpoint. */
export type Target = string | URL | FetchTarget

/** The URL of an in-process endpoint. It is never resolved. */
export const IN_PROCESS_URL = 'http://sidecard.test/'

/** Sends one request, as `globalThis.fetch` does. */
export type SendRequest = (request: Request) => Response | Promise<Response>

/** A target's URL and the function that sends its requests. */
export interface ResolvedTarget {
  readonly url: URL
  readonly send: SendRequest
}

/**
 * Resolves a target.
 *
 * @throws {SidecardError} `invalid_target` if the URL is not an absolute `http` or `https` URL, or contains credentials.
 */
export function resolveTarget(
  target: Target,
  options: {
    readonly url?: string | URL | undefined
    readonly fetch?: SendRequest | undefined
  } = {},
): ResolvedTarget {
  if (typeof target === 'string' || target instanceof URL) {
    const send = options.fetch ?? ((request: Request) => fetch(request))
    return { url: parseEndpointUrl(target), send }
  }
  if (!hasMethods(target, 'fetch')) {
    throw invalidTarget('Expected an http(s) URL or an object with a fetch method.')
  }
  return { url: parseEndpointUrl(options.url ?? IN_PROCESS_URL), send: inProcess(target) }
}

function inProcess(target: FetchTarget): SendRequest {
  return async (request) => {
    try {
      // `fetch` is called as a method, because a detached call is an illegal invocation on
      // Workers.
      return await target.fetch(request)
    } catch (error) {
      throw new TargetThrewError(error)
    }
  }
}

/** The error of an in-process app that threw, as opposed to a network error. */
export class TargetThrewError extends Error {
  override readonly name = 'TargetThrewError'

  constructor(thrown: unknown) {
    const what = thrown instanceof Error ? thrown.name : 'a value that is not an Error'
    super(`it threw ${what}`, { cause: thrown })
  }
}

/**
 * Parses the URL of an endpoint, without its fragment, which requests do not
 * contain.
 *
 * @throws {SidecardError} `invalid_target`, without the URL itself, which may
 * contain a secret.
 */
export function parseEndpointUrl(value: string | URL): URL {
  const url = URL.parse(String(value))
  if (url === null) {
    throw invalidTarget('Expected an absolute URL, such as https://example.com/widget.')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalidTarget('The URL must start with http:// or https://.')
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidTarget('The URL contains credentials. Send them in a header instead.')
  }
  url.hash = ''
  return url
}

function invalidTarget(message: string): SidecardError {
  return new SidecardError('invalid_target', message)
}

/** Formats a URL without the values of its query. */
export function redactUrl(url: URL): string {
  const names = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=…`)
  return `${url.origin}${url.pathname}${names.length === 0 ? '' : `?${names.join('&')}`}`
}
