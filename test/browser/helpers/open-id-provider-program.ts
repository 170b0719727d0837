// A real OpenID provider: node open-id-provider-program.ts <redirect URI>. It prints its URL, and
// ends with its standard input. Any name and password sign in, and the name is the agent's ID.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const [, , redirectUri] = process.argv
// @ts-expect-error -- the package has no types
const { default: Provider } = await import('oidc-provider')

const server = createServer((request, response) => handle(request, response))
let handle: (...args: unknown[]) => void = () => undefined
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const provider = new Provider(issuer, {
  clients: [{ client_id: 'sidecard', client_secret: 's3cret', redirect_uris: [redirectUri] }],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
  cookies: { keys: ['a-key-of-the-provider'] },
  findAccount: (_ctx: unknown, accountId: string) => ({
    accountId,
    claims: () => ({
      sub: accountId,
      email: `${accountId}@acme.example`,
      email_verified: true,
      name: accountId,
      groups: ['leads', ...Array.from({ length: 900 }, (_, index) => `group-${index}`)],
    }),
  }),
})
handle = provider.callback()
process.stdin.on('end', () => process.exit()).resume()
process.stdout.write(`${issuer}\n`)
