import { base64url, exportJWK, SignJWT } from 'jose'
import { openIdConnect } from 'sidecard/actions'
import {
  createActionApp,
  createExtendTrial,
  localPath,
  PUBLIC_URL,
  readLinks,
  readPage,
  send,
} from './actions.ts'
import { createRecordingLogger } from './app.ts'
import { now, sharedKeyPair } from './signed-token.ts'

export const ISSUER = 'https://id.example.com/tenant'
export const CLIENT_ID = 'sidecard-app'
export const CLIENT_SECRET = 'client-s3cret:with/signs+'

interface Granted {
  readonly challenge: string
  readonly nonce: string | null
  readonly redirectUri: string | null
}

/**
 * An OpenID provider behind an injected `fetch`. It checks the secret, the PKCE verifier, the
 * redirect URI, and that a code is used once. A test sets what it says.
 */
export async function createProvider() {
  const { publicKey, privateKey } = await sharedKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Granted>()
  const requests: string[] = []
  const provider = {
    requests,
    /** Claims of the ID token, and of the user info. `undefined` removes one. */
    claims: {} as Record<string, unknown>,
    userInfo: undefined as Record<string, unknown> | undefined,
    metadata: {} as Record<string, unknown>,
    secret: CLIENT_SECRET as string | undefined,
    sign: (payload: Record<string, unknown>) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(privateKey),
    isDown: false,
    fetch,
    authorize,
  }

  /** The agent signs in at the URL of a redirect. Returns where the provider sends the browser. */
  function authorize(location: string, reply: Record<string, string> = {}): string {
    const { origin, pathname, searchParams } = new URL(location)
    if (origin + pathname !== `${ISSUER}/authorize`) throw new Error('another URL')
    const read = (name: string) => {
      const [value, ...others] = searchParams.getAll(name)
      if (others.length > 0) throw new Error(`${name} is repeated`)
      return value ?? null
    }
    const isValid =
      read('response_type') === 'code' &&
      read('client_id') === CLIENT_ID &&
      read('code_challenge_method') === 'S256' &&
      read('scope')?.split(' ').includes('openid')
    if (!isValid) throw new Error(`invalid request: ${searchParams}`)
    const code = crypto.randomUUID()
    const [challenge, nonce] = [read('code_challenge') ?? '', read('nonce')]
    codes.set(code, { challenge, nonce, redirectUri: read('redirect_uri') })
    const back = new URLSearchParams({ code, state: read('state') ?? '', ...reply })
    return `${read('redirect_uri')}?${back}`
  }

  async function fetch(url: string, init: RequestInit): Promise<Response> {
    const path = url.replace(ISSUER, '')
    requests.push(path)
    if (provider.isDown) throw new TypeError('fetch failed')
    if (init.redirect !== 'manual') throw new Error('follows redirects')
    switch (path) {
      case '/.well-known/openid-configuration':
        return Response.json({
          issuer: ISSUER,
          authorization_endpoint: `${ISSUER}/authorize`,
          token_endpoint: `${ISSUER}/token`,
          jwks_uri: `${ISSUER}/keys`,
          ...(provider.userInfo && { userinfo_endpoint: `${ISSUER}/userinfo` }),
          ...provider.metadata,
        })
      case '/keys':
        return Response.json({ keys: [jwk] })
      case '/userinfo': {
        const isAllowed = new Headers(init.headers).get('authorization') === 'Bearer access-token'
        return isAllowed
          ? Response.json({ sub: 'user-7', ...provider.userInfo })
          : new Response(null, { status: 401 })
      }
      case '/token':
        return exchange(init)
      default:
        return new Response(null, { status: 404 })
    }
  }

  async function exchange(init: RequestInit): Promise<Response> {
    const body = new URLSearchParams(init.body as string)
    const reject = (error: string) => Response.json({ error }, { status: 400 })
    if (readSecret(new Headers(init.headers), body) !== provider.secret) {
      return reject('invalid_client')
    }
    const code = body.get('code') ?? ''
    const granted = codes.get(code)
    codes.delete(code)
    const verifier = new TextEncoder().encode(body.get('code_verifier') ?? '')
    const challenge = base64url.encode(
      new Uint8Array(await crypto.subtle.digest('SHA-256', verifier)),
    )
    const isValid =
      granted?.challenge === challenge &&
      granted.redirectUri === body.get('redirect_uri') &&
      body.get('grant_type') === 'authorization_code'
    if (!isValid) return reject('invalid_grant')
    const payload = {
      iss: ISSUER,
      aud: CLIENT_ID,
      sub: 'user-7',
      email: 'robin@acme.example',
      email_verified: true,
      iat: now(),
      exp: now() + 300,
      nonce: granted.nonce,
      ...provider.claims,
    }
    const kept = Object.entries(payload).filter(([, value]) => value !== undefined)
    const id_token = await provider.sign(Object.fromEntries(kept))
    return Response.json({ access_token: 'access-token', token_type: 'Bearer', id_token })
  }

  function readSecret(headers: Headers, body: URLSearchParams): string | undefined {
    const basic = /^Basic (.+)$/.exec(headers.get('authorization') ?? '')?.[1]
    if (basic === undefined) return body.get('client_secret') ?? undefined
    const [id = '', secret = ''] = atob(basic).split(':').map(decodeURIComponent)
    return id === CLIENT_ID ? secret : 'another client'
  }

  return provider
}

export type Provider = Awaited<ReturnType<typeof createProvider>>

type App = Parameters<typeof send>[0]

interface Cookie {
  readonly name: string
  readonly value: string
}

/** A browser with cookies, for apps by their public URL. It does not follow redirects. */
export function createBrowser(apps: Readonly<Record<string, App>>) {
  const cookies: Cookie[] = []
  let env: object | undefined
  let settings: object = {}

  const cookieHeader = () => cookies.map(({ name, value }) => `${name}=${value}`).join('; ')

  function store(line: string, host: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    const read = (key: string) =>
      attributes.find((one) => one.startsWith(`${key}=`))?.slice(key.length + 1)
    const isSafe =
      ['HttpOnly', 'Secure', 'SameSite=Lax'].every((one) => attributes.includes(one)) &&
      name.startsWith('__Host-') &&
      read('Path') === '/' &&
      read('Domain') === undefined
    if (!isSafe) throw new Error(`unsafe cookie for ${host}: ${attributes.join('; ')}`)
    if (pair.length > 4_096) throw new Error('The browser drops this cookie.')
    const index = cookies.findIndex((one) => one.name === name)
    if (index >= 0) cookies.splice(index, 1)
    if (read('Max-Age') !== '0') cookies.push({ name, value })
  }

  async function request(url: string, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url)
    const [, app] = Object.entries(apps).find(([base]) => url.startsWith(`${base}/actions`)) ?? []
    if (app === undefined) throw new Error(`no app at ${url}`)
    const headers = new Headers(init.headers)
    headers.set('cookie', cookieHeader())
    const sent = { ...init, headers: Object.fromEntries(headers) }
    const response = await send(app, localPath(url), sent, env, settings)
    for (const line of response.headers.getSetCookie()) store(line, host)
    return response
  }

  return {
    cookies,
    cookieHeader,
    request,
    /** Opens a URL, and reads the page. */
    open: async (url: string) => readPage(await request(url)),
    /** Opens a URL, and returns where it leads. */
    async follow(url: string): Promise<string> {
      const response = await request(url)
      const location = response.headers.get('location')
      if (response.status === 303 && location !== null) return location
      throw new Error(`status ${response.status}: ${await response.text()}`)
    },
    /** Sends a form of the page, such as one of `readPage()`. */
    async post(url: string, fields: Record<string, string> = {}, site = 'same-origin') {
      const type = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site }
      const body = String(new URLSearchParams(fields))
      return readPage(await request(url, { method: 'POST', headers: type, body }))
    },
    use(changes: { env?: object; settings?: object }) {
      env = changes.env ?? env
      settings = changes.settings ?? settings
    },
  }
}

export type Browser = ReturnType<typeof createBrowser>

/** Opens a link, signs in, and returns the page of the link. */
export async function signIn(browser: Browser, provider: Provider, link: string) {
  const back = await browser.follow(provider.authorize(await browser.follow(link)))
  return browser.open(back)
}

/** The URL of the page. */
export const PAGE = `${PUBLIC_URL}/actions`

/** Creates an app with a provider, and a browser with a link. */
export async function setUp(
  options: Partial<Parameters<typeof openIdConnect>[0]> = {},
  overrides: Record<string, unknown> = {},
) {
  const provider = await createProvider()
  const logger = createRecordingLogger()
  const connect = openIdConnect({
    issuer: ISSUER,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    fetch: provider.fetch,
    ...options,
  })
  const app = createActionApp(createExtendTrial(overrides), { signIn: connect }, { logger })
  const browser = createBrowser({ [PUBLIC_URL]: app })
  const createLink = async (settings = {}) => (await readLinks(app, undefined, {}, settings))[0]!
  const link = await createLink()
  /** Opens the link, signs in at the provider, and returns the page to which it sends the browser. */
  const comeBack = async (reply?: Record<string, string>) =>
    browser.open(provider.authorize(await browser.follow(link), reply))
  /** Opens the link with a sign-in. */
  const enter = () => signIn(browser, provider, link)
  const log = () => JSON.stringify(logger.lines)
  return { provider, app, browser, logger, log, connect, createLink, link, comeBack, enter }
}

/** Sends the form of a page in a browser. */
export function postPage(
  browser: Browser,
  { t = '', form = '', seen = '' }: Partial<Record<'t' | 'form' | 'seen', string | undefined>>,
  values: Record<string, string> = { 'field-days': '7' },
  url = PAGE,
) {
  return browser.post(url, { t, form, seen, ...values })
}

/** A page that says that the sign-in failed. */
export const DENIED = {
  status: 403,
  outcome: 'forbidden',
  heading: 'Not allowed',
}
