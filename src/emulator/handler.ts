import { openApiDocument } from '../contract/openapi.ts'
import { type ControlOptions, createControl } from './control/routes.ts'
import { refusalOfRequest } from './guard.ts'
import { readAsset } from './listener/assets.ts'
import { createPages } from './pages.ts'
import { CONTROL_PREFIX } from './protocol.ts'
import { type ApiOptions, createApi } from './service/api.ts'

/** What the emulator answers with. */
export interface HandlerOptions {
  readonly url: () => string
  /** The values of `Host` that mean this emulator. */
  readonly hosts: () => ReadonlySet<string>
  readonly api: ApiOptions
  readonly control: ControlOptions
}

/** Answers one request. @throws {ConnectionReset} when a fault closes the connection */
export type Handler = (request: Request) => Promise<Response>

const PAGES = new Set(['/', '/docs', '/docs/style.css', '/favicon.ico'])
const ASSETS = `${CONTROL_PREFIX}assets/`

/** The pages, the control routes and the API at one address, behind one guard. */
export function createHandler({ url, hosts, api, control }: HandlerOptions): Handler {
  const apiRoutes = createApi(api)
  const controlRoutes = createControl(control)
  const pages = createPages({ token: control.token, readAsset, baseUrl: url })
  return async (request) => {
    const refusal = refusalOfRequest(request, hosts())
    if (refusal !== undefined) return refusal
    const { pathname } = new URL(request.url)
    if (PAGES.has(pathname) || pathname.startsWith(ASSETS)) return pages.fetch(request)
    if (pathname === '/openapi.json') return openApi(url())
    if (pathname.startsWith(CONTROL_PREFIX)) return controlRoutes.fetch(below(request))
    return apiRoutes.fetch(request)
  }
}

function openApi(url: string): Response {
  const servers = [{ url, description: 'This emulator.' }]
  return Response.json({ ...openApiDocument(), servers })
}

/** The request with its path relative to the control prefix. */
function below(request: Request): Request {
  const url = new URL(request.url)
  url.pathname = url.pathname.slice(CONTROL_PREFIX.length - 1)
  return new Request(url, request)
}
