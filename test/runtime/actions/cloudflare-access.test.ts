import { text } from 'sidecard'
import { type ActionContext, cloudflareAccess } from 'sidecard/actions'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import {
  createActionApp,
  createExtendTrial,
  localPath,
  readLinks,
  readPage,
  send,
} from '../../helpers/actions.ts'

const ISSUER = 'https://acme.cloudflareaccess.com'
const now = () => Math.floor(Date.now() / 1_000)

async function createTeam(options: object = {}) {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  const requests: string[] = []
  const agent = cloudflareAccess({
    team: 'acme',
    audience: 'aud-tag',
    ...options,
    fetch: async (url) => {
      requests.push(url)
      return Response.json({ keys: [jwk] })
    },
  })
  const show = (ctx: ActionContext<any>) =>
    text({ label: 'Groups', value: `Value: ${ctx.agent?.groups.join('|')}` })
  const app = createActionApp(createExtendTrial({ show }), { signIn: agent })
  const open = async (token?: string) => {
    const [link] = await readLinks(app)
    const headers: Record<string, string> = token ? { 'cf-access-jwt-assertion': token } : {}
    return readPage(await send(app, localPath(link!), { headers }))
  }
  return { app, open, privateKey, requests }
}

const CLAIMS = {
  email: 'robin@acme.example',
  sub: 'user-7',
  iss: ISSUER,
  aud: ['aud-tag'],
  custom: { groups: [] },
}

function sign(key: CryptoKey, claims: object = {}, header: object = {}) {
  const payload = { ...CLAIMS, iat: now(), exp: now() + 60, ...claims }
  const kept = Object.entries(payload).filter(([, value]) => value !== undefined)
  return new SignJWT(Object.fromEntries(kept))
    .setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header })
    .sign(key)
}

test('a token of the team identifies the agent', async () => {
  const { open, privateKey, requests } = await createTeam()
  const page = await open(await sign(privateKey))
  expect(page).toMatchObject({ status: 200, outcome: 'shown' })
  expect(page.html).toContain('Signed in as robin@acme.example')
  expect(requests).toEqual([`${ISSUER}/cdn-cgi/access/certs`])
  // An expired sign-in redirects the form to the team’s page.
  expect(page.response.headers.get('content-security-policy')).toContain(
    `form-action 'self' ${ISSUER};`,
  )
})

test.each([
  ['a list', { custom: { groups: ['leads'] } }, {}],
  ['one group', { custom: { groups: 'leads' } }, {}],
  ['a claim of another name', { custom: { roles: ['leads'] } }, { groupsClaim: 'roles' }],
])('groups come from a custom claim: %s', async (_name, claims, options) => {
  const { open, privateKey } = await createTeam(options)
  const page = await open(await sign(privateKey, claims))
  expect(page.html).toContain('Value: leads<')
  // The agent cannot choose them elsewhere.
  const other = await open(await sign(privateKey, { groups: ['leads'], custom: {} }))
  expect(other.html).not.toContain('leads')
})

test.each([
  ['another issuer', { iss: 'https://evil.cloudflareaccess.com' }],
  ['another audience', { aud: ['other'] }],
  ['no audience', { aud: undefined }],
  ['an expiry in the past', { exp: now() - 60 }],
  ['no expiry', { exp: undefined }],
  ['a start in the future', { nbf: now() + 600 }],
  ['a service token instead of an agent', { email: undefined, sub: '', common_name: 'ci' }],
  ['an empty email', { email: '', sub: '' }],
])('a token with %s is denied', async (_name, claims) => {
  const { open, privateKey } = await createTeam()
  expect(await open(await sign(privateKey, claims))).toMatchObject({ status: 403 })
})

test('a token with another key, algorithm or without a signature is denied', async () => {
  const { open, privateKey } = await createTeam()
  const other = await generateKeyPair('RS256')
  expect((await open(await sign(other.privateKey))).status).toBe(403)
  const rs512 = await generateKeyPair('RS512')
  expect((await open(await sign(rs512.privateKey, {}, { alg: 'RS512' }))).status).toBe(403)
  const valid = await sign(privateKey)
  const [, payload] = valid.split('.')
  const none = `${btoa('{"alg":"none"}')}.${payload}.`
  for (const token of [none, 'x', valid.slice(0, -3), undefined]) {
    expect((await open(token)).status).toBe(403)
  }
  expect((await open(valid)).status).toBe(200)
})

test('a team whose keys cannot be fetched denies everyone', async () => {
  const { privateKey } = await createTeam()
  const fetch = () => Promise.reject(new Error('offline'))
  const agent = cloudflareAccess({ team: 'acme', audience: 'aud-tag', fetch })
  const app = createActionApp(createExtendTrial(), { signIn: agent })
  const [link] = await readLinks(app)
  const headers = { 'cf-access-jwt-assertion': await sign(privateKey) }
  expect((await send(app, localPath(link!), { headers })).status).toBe(403)
})

test('an invalid option is an error', () => {
  expect(() => cloudflareAccess({ team: 'acme.cloudflareaccess.com', audience: 'a' })).toThrow(
    'the name of a team',
  )
  expect(() => cloudflareAccess({ team: 'acme', audience: ' ' })).toThrow('audience')
})
