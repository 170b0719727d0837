import { OPERATIONS } from '../../runtime/contract/operations.ts'
import { constantTimeEqual } from '../../runtime/internal/constant-time-equal.ts'
import { reject } from './guard.ts'

/** Matches the paths of the emulated API, which requires its own bearer token. */
const API = Object.values(OPERATIONS).map(
  ({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
)

/**
 * Rejects a request from the network without the token of a visitor. The URL with the token
 * stores it in a cookie, which scripts cannot read, and redirects to the URL without it.
 *
 * @returns the response, or `undefined` for a visitor and for the API
 */
export function rejectStranger(request: Request, token: string): Response | undefined {
  const { pathname, searchParams, port } = new URL(request.url)
  if (API.some((path) => path.test(pathname))) return undefined
  // Cookies do not distinguish ports.
  const name = `sidecard-${port}`
  if (pathname === '/' && constantTimeEqual(searchParams.get('token') ?? '', token)) {
    const cookie = `${name}=${token}; Path=/; HttpOnly; SameSite=Strict`
    const headers = { location: '/', 'set-cookie': cookie, 'cache-control': 'no-store' }
    return new Response(null, { status: 303, headers })
  }
  const cookies = request.headers.get('cookie')?.split('; ') ?? []
  const given = cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
  if (constantTimeEqual(given ?? '', token)) return undefined
  return reject(401, 'no_visitor', 'Open the URL with the token that sidecard dev printed.')
}

/**
 * Rejects a request from a different machine that would start a program on this one.
 *
 * @param isLocal whether the request comes from this machine
 */
export function rejectRemoteStart({ url }: Request, isLocal: boolean): Response | undefined {
  if (isLocal || !new URL(url).pathname.endsWith('/source/open')) return undefined
  return reject(403, 'not_local', 'The editor only opens for a browser on the same machine.')
}
