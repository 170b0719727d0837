import { Hono } from 'hono'
import { OPERATIONS } from '../contract/operations.ts'
import { apiDocs, DOCS_STYLE } from './api/api-docs.ts'
import { PAGE_HEADERS } from './page-headers.ts'
import type { Asset } from './listener/assets.ts'

/** Options of the pages. */
export interface PagesOptions {
  readonly token: string
  readonly readAsset: (name: string) => Promise<Asset | undefined>
  readonly baseUrl: () => string
}

/** The placeholder of the session token in the page. */
const TOKEN_PLACEHOLDER = '__SIDECARD_TOKEN__'

/** Creates the routes of the workspace, its files, and the API documentation. */
export function createPages({ token, readAsset, baseUrl }: PagesOptions): Hono {
  const pages = new Hono()
  pages.get('/', async (c) => {
    const page = await readAsset('index.html')
    return c.body(page?.body.replace(TOKEN_PLACEHOLDER, token) ?? '', 200, {
      ...PAGE_HEADERS,
      'content-type': 'text/html; charset=utf-8',
    })
  })
  pages.get('/-/assets/:name', async (c) => {
    const asset = await readAsset(c.req.param('name'))
    return asset === undefined
      ? c.notFound()
      : c.body(asset.body, 200, { ...PAGE_HEADERS, 'content-type': asset.type })
  })
  pages.get('/docs', (c) =>
    c.body(apiDocs(OPERATIONS, baseUrl()), 200, {
      ...PAGE_HEADERS,
      'content-type': 'text/html; charset=utf-8',
    }),
  )
  pages.get('/docs/style.css', (c) =>
    c.body(DOCS_STYLE, 200, { ...PAGE_HEADERS, 'content-type': 'text/css; charset=utf-8' }),
  )
  pages.get('/favicon.ico', (c) => c.body(null, 204))
  return pages
}
