import { text } from 'sidecard'
import { type ActionContext, signedHeader } from 'sidecard/actions'
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

const ISSUER = 'https://cloud.google.com/iap'
const AUDIENCE = '/projects/7/global/backendServices/42'
const KEYS = 'https://keys.example.com/jwk'
const HEADER = 'x-goog-iap-jwt-assertion'
const now = () => Math.floor(Date.now() / 1_000)

async function createProxy(options: object = {}, alg = 'ES256') {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg }
  const requests: string[] = []
  const signIn = signedHeader({
    header: HEADER,
    issuer: ISSUER,
    audience: AUDIENCE,
    keys: KEYS,
    fetch: async (url) => {
      requests.push(url)
      return Response.json({ keys: [jwk] })
    },
    ...options,
  })
  const show = ({ agent }: ActionContext<any>) => [
    text({ label: 'Groups', value: `Value: ${agent?.groups.join('|')}` }),
    text({ label: 'ID', value: `ID: ${agent?.id}` }),
  ]
  const app = createActionApp(createExtendTrial({ show }), { signIn })
  const open = async (token: string, header = HEADER) => {
    const [link] = await readLinks(app)
    return readPage(await send(app, localPath(link!), { headers: { [header]: token } }))
  }
  return { open, privateKey, publicKey, requests }
}

const CLAIMS = {
  email: 'robin@acme.example',
  sub: 'user-7',
  iss: ISSUER,
  aud: AUDIENCE,
  groups: [],
}

function sign(key: CryptoKey | Uint8Array, claims: object = {}, header: object = {}) {
  const payload = { ...CLAIMS, iat: now(), exp: now() + 60, ...claims }
  const kept = Object.entries(payload).filter(([, value]) => value !== undefined)
  return new SignJWT(Object.fromEntries(kept))
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header })
    .sign(key)
}

test('a token of the proxy identifies the agent and the groups', async () => {
  const { open, privateKey, requests } = await createProxy({
    groupsClaim: 'roles',
    signInOrigins: ['https://accounts.google.com'],
  })
  const page = await open(await sign(privateKey, { roles: ['leads'], groups: ['other'] }))
  expect(page).toMatchObject({ status: 200, outcome: 'shown' })
  expect(page.html).toContain('Signed in as robin@acme.example')
  expect(page.html).toContain('Value: leads<')
  expect(page.response.headers.get('content-security-policy')).toContain(
    "form-action 'self' https://accounts.google.com;",
  )
  await open(await sign(privateKey))
  expect(requests).toEqual([KEYS])
})

test.each([
  ['a path', 'realm_access.roles', { realm_access: { roles: ['leads'] } }],
  ['a name with dots', 'https://acme.example/groups', { 'https://acme.example/groups': ['leads'] }],
  ['a name with dots in a claim', 'custom.a.b', { custom: { 'a.b': ['leads'] } }],
  ['one group', 'roles', { roles: 'leads' }],
])('the claim with the groups can be %s', async (_name, groupsClaim, claims) => {
  const { open, privateKey } = await createProxy({ groupsClaim })
  const page = await open(await sign(privateKey, claims))
  expect(page.html).toContain('Value: leads<')
})

test.each([
  ['its subject', 'user-7', {}],
  ['the address, if the subject is empty', 'robin@acme.example', { sub: '' }],
])('the ID of the agent is %s', async (_name, id, claims) => {
  const { open, privateKey } = await createProxy()
  expect((await open(await sign(privateKey, claims))).html).toContain(`ID: ${id}<`)
})

test('without an option, the groups are in the claim groups', async () => {
  const { open, privateKey } = await createProxy()
  expect((await open(await sign(privateKey, { groups: ['leads'] }))).html).toContain(
    'Value: leads<',
  )
})

test.each(['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'EdDSA'])(
  'a token that is signed with %s is accepted',
  async (alg) => {
    const { open, privateKey } = await createProxy({}, alg)
    expect(await open(await sign(privateKey, {}, { alg }))).toMatchObject({ status: 200 })
  },
)

test.each([-20, 20])('clocks may be %i s apart', async (seconds) => {
  const { open, privateKey } = await createProxy()
  const time = now() + seconds
  const page = await open(await sign(privateKey, { iat: time, nbf: time, exp: time + 5 }))
  expect(page.status).toBe(200)
})

test.each([
  ['another issuer', { iss: 'https://evil.example' }],
  ['no issuer', { iss: undefined }],
  ['another audience', { aud: '/projects/8' }],
  ['no audience', { aud: undefined }],
  ['an expiry in the past', { exp: now() - 60 }],
  ['no expiry', { exp: undefined }],
  ['a start in the future', { nbf: now() + 600 }],
  ['a time of issue in the future', { iat: now() + 600 }],
  ['a service instead of an agent', { email: undefined }],
  ['no subject', { sub: undefined }],
])('a token with %s is denied', async (_name, claims) => {
  const { open, privateKey } = await createProxy()
  expect(await open(await sign(privateKey, claims))).toMatchObject({ status: 403 })
})

test('a token with another key, algorithm, header or without a signature is denied', async () => {
  const { open, privateKey, publicKey } = await createProxy()
  const { privateKey: other } = await generateKeyPair('ES256')
  const spki = new TextEncoder().encode(JSON.stringify(await exportJWK(publicKey)))
  const valid = await sign(privateKey)
  const [, payload] = valid.split('.')
  const forged = [
    await sign(other),
    // The public key as a shared secret.
    await sign(spki, {}, { alg: 'HS256' }),
    `${btoa('{"alg":"none"}').replaceAll('=', '')}.${payload}.`,
    `${valid}, ${valid}`,
    valid.slice(0, -3),
    'x',
    '',
  ]
  for (const token of forged) expect((await open(token)).status).toBe(403)
  expect((await open(valid, 'x-other')).status).toBe(403)
  expect((await open(valid)).status).toBe(200)
})

test.each([
  ['no header', { header: 'two words' }],
  ['keys over http', { keys: 'http://keys.example.com/jwk' }],
  ['no audience', { audience: '' }],
  ['no issuer', { issuer: undefined }],
])('%s is an error', async (_name, options) => {
  await expect(createProxy(options)).rejects.toThrow(/signedHeader: \w+ must be/)
})
