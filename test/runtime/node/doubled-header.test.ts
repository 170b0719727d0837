import { trustedHeader } from 'sidecard/actions'
import { serve } from 'sidecard/node'
import { expect, onTestFinished, test } from 'vitest'
import { createActionApp, createExtendTrial } from '../../helpers/actions.ts'
import { createRecordingLogger } from '../../helpers/app.ts'
import { exchange } from '../../helpers/raw-http.ts'

test.each([
  ['x-email: ann@acme.example', 'X-Email: eve@acme.example', 'x-email'],
  ['x-groups: staff', 'X-Groups: leads', 'x-groups'],
])('a caller who adds to the header %j with %j is denied', async (_sent, added, name) => {
  const logger = createRecordingLogger()
  const signIn = trustedHeader('x-email', { groupsHeader: 'x-groups' })
  const app = createActionApp(
    createExtendTrial(),
    { signIn, publicUrl: () => undefined },
    { logger },
  )
  const server = await serve(app, { port: 0, hostname: '127.0.0.1', handleSignals: false, env: {} })
  onTestFinished(() => server.close())
  const response = await fetch(`${server.url}?request_type=fetch_data&account_id=a`)
  const [{ url }] = ((await response.json()) as { components: { url: string }[] }).components as any
  const { pathname, search, port, host } = new URL(url)
  const open = (extra = '') => {
    const headers = `host: ${host}\r\nx-email: ann@acme.example\r\nx-groups: staff\r\n${extra}`
    const request = `GET ${pathname}${search} HTTP/1.1\r\n${headers}connection: close\r\n\r\n`
    return exchange(Number(port), request)
  }
  expect(await open()).toContain('Signed in as ann@acme.example')
  expect(await open(`${added}\r\n`)).toMatch(/^HTTP\/1\.1 403 /)
  expect(JSON.stringify(logger.lines)).toContain(`contains the header ${name} twice`)
})
