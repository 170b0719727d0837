import { SidecardError } from '../errors.ts'

/** Anything that answers a Fetch request in process: a Hono app, a Worker's default export, a function in an object. */
export interface FetchTarget {
  fetch(request: Request): Response | Promise<Response>
}

/** What the desk talks to: the address of an endpoint, or the endpoint itself in process. */
export type Target = string | URL | FetchTarget

/** The address that an endpoint in process is called at; nothing ever resolves it. */
export const IN_PROCESS_URL = 'http://sidecard.test/'

/** Sends one request; `globalThis.fetch` is one. */
export type Send = (request: Request) => Response | Promise<Response>

/** A target made ready: where its requests go, and who sends them. */
export interface ResolvedTarget {
  readonly url: URL
  readonly send: Send
}

/**
 * Makes a target ready to be called.
 *
 * @throws {SidecardError} `invalid_target` when the address is not an absolute `http` or `https` URL, or carries a user name or a password.
 */
export function resolveTarget(
  target: Target,
  options: { readonly url?: string | URL; readonly fetch?: Send } = {},
): ResolvedTarget {
  if (typeof target === 'string' || target instanceof URL) {
    const send = options.fetch ?? ((request: Request) => fetch(request))
    return { url: endpointUrl(target), send }
  }
  if (typeof target !== 'object' || target === null || typeof target.fetch !== 'function') {
    throw new SidecardError(
      'invalid_target',
      'The target is neither an address nor an object with a fetch method: give an http(s) URL or an app.',
    )
  }
  return { url: endpointUrl(options.url ?? IN_PROCESS_URL), send: inProcess(target) }
}

function inProcess(target: FetchTarget): Send {
  return async (request) => {
    try {
      // Called as a method: on Workers a detached fetch is an illegal invocation.
      return await target.fetch(request)
    } catch (error) {
      throw new TargetThrewError(error)
    }
  }
}

/** Tells a target that threw from a network that failed. */
export class TargetThrewError extends Error {
  override readonly name = 'TargetThrewError'

  constructor(thrown: unknown) {
    super(thrown instanceof Error ? `it threw a ${thrown.name}` : `it threw a ${typeof thrown}`, {
      cause: thrown,
    })
  }
}

/**
 * Reads the address of an endpoint. A fragment is dropped, as no request carries it.
 *
 * @throws {SidecardError} `invalid_target`, without the address itself, which may hold a secret.
 */
export function endpointUrl(value: string | URL): URL {
  const url = URL.parse(String(value))
  if (url === null) {
    throw new SidecardError(
      'invalid_target',
      'The address is not an absolute URL: write it in full, such as https://example.com/widget.',
    )
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new SidecardError('invalid_target', 'The address must begin with http:// or https://.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new SidecardError(
      'invalid_target',
      'The address carries a user name or a password: send it as a header instead.',
    )
  }
  url.hash = ''
  return url
}

/** The address as it may be printed: its query keeps its names and loses its values. */
export function printableUrl(url: URL): string {
  const names = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=…`)
  return `${url.origin}${url.pathname}${names.length === 0 ? '' : `?${names.join('&')}`}`
}
