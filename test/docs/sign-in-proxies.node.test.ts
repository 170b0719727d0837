import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MiddlewareHandler } from 'hono'
import { trustedHeader } from 'sidecard/actions'
import { serve } from 'sidecard/node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createActionApp, createExtendTrial } from '../helpers/actions.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { listen } from '../helpers/listen.ts'

const PAGE = readFileSync(new URL('../../docs/guides/sign-in.md', import.meta.url), 'utf8')

/** How each proxy starts with the block of the page. */
const PROXIES = {
  nginx: {
    program: '/usr/sbin/nginx',
    headers: 'x-auth-request',
    start: (block: string, folder: string) => {
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder};`)
        .join('\n')
      const log = `pid ${folder}/pid; error_log stderr; daemon off; master_process off;`
      writeFileSync(
        `${folder}/conf`,
        `${log}\nevents {}\nhttp {\naccess_log off;\n${paths}\n${block}}`,
      )
      return ['-c', `${folder}/conf`, '-p', folder]
    },
  },
  caddyfile: {
    program: '/usr/bin/caddy',
    headers: 'x-auth-request',
    start: (block: string, folder: string) => {
      writeFileSync(`${folder}/Caddyfile`, `{\nadmin off\n}\n${block}`)
      return ['run', '--adapter', 'caddyfile', '--config', `${folder}/Caddyfile`]
    },
  },
  haproxy: {
    program: '/usr/sbin/haproxy',
    headers: 'x-forwarded',
    start: (block: string, folder: string) => {
      writeFileSync(`${folder}/haproxy.cfg`, block)
      return ['-f', `${folder}/haproxy.cfg`]
    },
  },
} as const

/**
 * Starts a stub of oauth2-proxy: `/oauth2/auth` says who is signed in, and other paths are
 * forwarded to the app with the headers of the agent.
 */
function startStub(app: string): Promise<string> {
  const forward = (request: IncomingMessage, response: ServerResponse, agent: object) => {
    const options = { method: request.method, headers: { ...request.headers, ...agent } }
    const forwarded = send(new URL(request.url!, app), options, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers)
      received.pipe(response)
    })
    request.pipe(forwarded)
  }
  return listen((request, response) => {
    const agent = /^session=(ann|bob)$/.exec(request.headers.cookie ?? '')?.[1]
    const describe = (prefix: string) => ({
      [`${prefix}-email`]: `${agent}@acme.example`,
      ...(agent === 'ann' && { [`${prefix}-groups`]: 'leads' }),
    })
    if (request.url?.split('?')[0] === '/oauth2/auth') {
      response.writeHead(agent ? 202 : 401, agent ? describe('x-auth-request') : {}).end()
    } else if (request.url?.startsWith('/oauth2/') === true) {
      response.end('sign in')
    } else if (agent !== undefined) {
      forward(request, response, describe('x-forwarded'))
    } else {
      response.writeHead(302, { location: '/oauth2/start' }).end()
    }
  })
}

function run(program: string, args: readonly string[], home: string): ChildProcess {
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home }
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  return child
}

for (const [language, { program, headers, start }] of Object.entries(PROXIES)) {
  test.skipIf(!existsSync(program))(
    `the ${language} block signs agents in, and no caller can name an agent (needs ${program})`,
    async () => {
      const port = await findFreePort()
      const publicUrl = `http://127.0.0.1:${port}`
      const signIn = trustedHeader(`${headers}-email`, { groupsHeader: `${headers}-groups` })
      const allow = (ctx: any) => ctx.agent.groups.includes('leads')
      const seen: unknown[] = []
      const record: MiddlewareHandler = ({ req }, next) => {
        if (req.path !== '/actions') seen.push(req.header(`${headers}-email`))
        return next()
      }
      const options = { middleware: [record] }
      const app = createActionApp(
        createExtendTrial({ authorize: allow }),
        { signIn, publicUrl },
        options,
      )
      const server = await serve(app, { port: 0, handleSignals: false, env: {} })
      onTestFinished(() => server.close())
      const stub = await startStub(server.url)
      const [, block = ''] = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'm').exec(PAGE)!
      const config = block
        .replaceAll(/:?8080/g, (at) => (at.startsWith(':') ? `:${port}` : `127.0.0.1:${port}`))
        .replaceAll('127.0.0.1:8787', new URL(server.url).host)
        .replaceAll('127.0.0.1:4180', new URL(stub).host)
      const folder = mkdtempSync(join(tmpdir(), 'sidecard-proxy-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      run(program, start(config, folder), folder)

      const query = '/?request_type=fetch_data&account_id=a'
      const body: any = await vi.waitFor(
        async () => (await fetch(publicUrl + query)).json(),
        20_000,
      )
      const link = body.components[0].url as string
      expect(link).toMatch(`${publicUrl}/actions?t=`)
      const forged = { [`${headers}-email`]: 'eve@acme.example', [`${headers}-groups`]: 'leads' }
      const open = (init: RequestInit) => fetch(link, { redirect: 'manual', ...init })
      for (const sent of [{}, forged]) {
        const { status, headers: received } = await open({ headers: sent })
        expect([status, received.get('location')]).toEqual([302, expect.stringContaining('start')])
      }
      const cookie = 'session=ann'
      const page = await (await open({ headers: { ...forged, cookie } })).text()
      expect(page).toContain('Signed in as ann@acme.example')
      expect(page).not.toContain('eve@')
      const read = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)![1]!
      const form = new URLSearchParams({ t: read('t'), form: read('form'), 'field-days': '7' })
      const done = await fetch(`${publicUrl}/actions`, {
        method: 'POST',
        body: form,
        headers: { cookie, origin: publicUrl },
      })
      expect(done.headers.get('x-sidecard-outcome')).toBe('done')
      // The proxy also removes a header that it does not set for this agent.
      const bob = await open({ headers: { ...forged, cookie: 'session=bob' } })
      expect(bob.status).toBe(403)
      await fetch(publicUrl + query, { headers: forged })
      expect(seen).toEqual([undefined, undefined])
    },
  )
}
