import { type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'

/**
 * A proxy in the shape of oauth2-proxy: it signs agents in for `/sidebar/actions`,
 * removes the header of the agent from outside, and leaves `/sidebar` open. Its
 * identity provider is another origin.
 */
export async function startSignInProxy(upstream: () => string) {
  const provider = await listen((request, response) => {
    const back = new URL(request.url ?? '/', 'http://x').searchParams.get('back') ?? ''
    response.setHeader('content-type', 'text/html')
    response.end(`<h1>Sign in</h1><a href="${back}?signed-in">Continue</a>`)
  })
  const proxy = await listen((request, response) => handle(request, response))

  const proxyUrl = proxy.slice(0, -1)
  const providerUrl = provider.slice(0, -1)

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', proxyUrl)
    const isPage = url.pathname === '/sidebar/actions'
    const agent = /agent=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
    const headers = { ...request.headers, host: 'internal.example', connection: 'close' }
    delete (headers as Record<string, unknown>)['x-auth-request-email']
    if (isPage && url.searchParams.has('signed-in')) {
      response.setHeader('set-cookie', 'agent=robin@acme.example; Path=/; HttpOnly')
      response.writeHead(302, { location: url.pathname }).end()
      return
    }
    if (isPage && agent === undefined) {
      request.resume()
      const back = encodeURIComponent(`${proxyUrl}/sidebar/actions`)
      response.writeHead(302, { location: `${providerUrl}/login?back=${back}` }).end()
      return
    }
    if (isPage) Object.assign(headers, { 'x-auth-request-email': agent })
    // The proxy removes its prefix, so the app does not know its public path.
    const target = new URL(request.url!.replace(/^\/sidebar/, '') || '/', upstream())
    const forwarded = send(target, { method: request.method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers)
      received.pipe(response)
    })
    request.pipe(forwarded)
  }

  return { url: proxyUrl, providerUrl }
}
