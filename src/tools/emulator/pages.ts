import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import { getMimeType } from 'hono/utils/mime'
import { OPERATIONS } from '../../runtime/contract/operations.ts'
import { apiDocs } from './api/api-docs.ts'
import { readAsset, readOpenApiDocument } from './listener/package-files.ts'
import type { IssueRegistry } from './apps/issues.ts'
import { ACTION_PAGES, CONTROL_PREFIX } from './protocol/workspace.ts'

/**
 * The headers of every page and asset. Pages only run the emulator's own script,
 * and only send requests to the emulator and for icons.
 */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src http: https:',
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types sidecard',
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/**
 * The headers of an action's page, which is shown in a frame with its own styles,
 * but without scripts and forms. In a `srcdoc`, it would have the policy above,
 * and therefore no styles.
 */
const FRAME_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
}

/** The placeholder of the session token in the page. */
const TOKEN_PLACEHOLDER = '__SIDECARD_TOKEN__'

/** The parts of an emulator that the pages use. */
interface PagedEmulator {
  readonly url: string
  readonly issues: Pick<IssueRegistry, 'actionPage'>
}

/** Creates the routes of the workspace, its files, and the API documentation. */
export function createPages(emulator: PagedEmulator, token: string): Hono {
  const pages = new Hono()
  // Responses of the API are not compressed, because a fault may truncate them.
  for (const path of ['/', '/docs', `${CONTROL_PREFIX}*`]) pages.use(path, compress())
  const send = (c: Context, name: string, body: string) =>
    c.body(body, 200, { ...PAGE_HEADERS, 'content-type': getMimeType(name) ?? '' })
  pages.get('/', async (c) => {
    const page = await readAsset('index.html')
    return send(c, 'index.html', page?.replace(TOKEN_PLACEHOLDER, token) ?? '')
  })
  pages.get(`${CONTROL_PREFIX}assets/:name`, async (c) => {
    const name = c.req.param('name')
    const asset = await readAsset(name)
    return asset === undefined ? c.notFound() : send(c, name, asset)
  })
  pages.get(`${ACTION_PAGES}:id`, (c) => {
    const html = emulator.issues.actionPage(c.req.param('id'))
    return html === undefined ? c.notFound() : c.body(html, 200, FRAME_HEADERS)
  })
  pages.get('/docs', (c) => send(c, 'docs.html', apiDocs(OPERATIONS, emulator.url)))
  pages.get('/openapi.json', (c) => {
    const servers = [{ url: emulator.url, description: 'This emulator.' }]
    return c.json({ ...readOpenApiDocument(), servers })
  })
  pages.get('/favicon.ico', (c) => c.body(null, 204))
  return pages
}
