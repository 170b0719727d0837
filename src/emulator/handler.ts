import { createOpenApiDocument } from './api/openapi.ts'
import { type ControlOptions, createControl } from './control/routes.ts'
import { rejectForeignRequest } from './guard.ts'
import { readAsset } from './listener/assets.ts'
import { createPages } from './pages.ts'
import { CONTROL_PREFIX } from './protocol/workspace.ts'
import { type ApiOptions, createApi } from './api/api.ts'

/** The parts of the emulator that handle requests. */
export interface HandlerOptions {
  readonly url: () => string
  /** The valid values of `Host`. */
  readonly hosts: () => ReadonlySet<string>
  readonly api: ApiOptions
  readonly control: ControlOptions
}

/** Handles one request. @throws {ConnectionReset} if a fault closes the connection */
export type Handler = (request: Request) => Promise<Response>

const PAGES = new Set(['/', '/docs', '/docs/style.css', '/favicon.ico'])
const ASSETS = `${CONTROL_PREFIX}assets/`

/** Creates the handler of the pages, the control routes and the API, behind one guard. */
export function createHandler({ url, hosts, api, control }: HandlerOptions): Handler {
  const apiRoutes = createApi(api)
  const controlRoutes = createControl(control)
  const pages = createPages({ token: control.token, readAsset, baseUrl: url })
  return async (request) => {
    const rejection = rejectForeignRequest(request, hosts())
    if (rejection !== undefined) return rejection
    const { pathname } = new URL(request.url)
    if (PAGES.has(pathname) || pathname.startsWith(ASSETS)) return pages.fetch(request)
    if (pathname === '/openapi.json') return openApi(url())
    if (pathname.startsWith(CONTROL_PREFIX)) return controlRoutes.fetch(stripControlPrefix(request))
    return apiRoutes.fetch(request)
  }
}

function openApi(url: string): Response {
  const servers = [{ url, description: 'This emulator.' }]
  return Response.json({ ...createOpenApiDocument(), servers })
}

/** Returns the request with its path relative to the control prefix. */
function stripControlPrefix(request: Request): Request {
  const url = new URL(request.url)
  url.pathname = url.pathname.slice(CONTROL_PREFIX.length - 1)
  return new Request(url, request)
}
