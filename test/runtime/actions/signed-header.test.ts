import { text } from 'sidecard'
import { type ActionContext, cloudflareAccess, type SignIn, signedHeader } from 'sidecard/actions'
import { generateKeyPair } from 'jose'
import { describe, expect, test } from 'vitest'
import { createDesk } from '../../helpers/desk.ts'
import { createSigner, now } from '../../helpers/signed-token.ts'

const ISSUER = 'https://cloud.google.com/iap'
const KEYS = 'https://keys.example.com/jwk'
const HEADER = 'x-goog-iap-jwt-assertion'
const REQUIRED = { header: HEADER, issuer: ISSUER, audience: '/projects/7', keys: KEYS }

/** Opens pages whose sign-in reads tokens from a header. */
function createOpen(signIn: SignIn, header: string) {
  const show = ({ agent }: ActionContext<any>) => [
    text({ label: 'Groups', value: `Value: ${agent?.groups.join('|')}` }),
    text({ label: 'ID', value: `ID: ${agent?.id}` }),
  ]
  const desk = createDesk({ show }, { signIn })
  return async (token: string, name = header) =>
    desk.show(await desk.newLink(), { headers: { [name]: token } })
}

async function createProxy(options: object = {}, alg = 'ES256') {
  const signer = await createSigner(alg)
  const open = createOpen(signedHeader({ ...REQUIRED, fetch: signer.fetch, ...options }), HEADER)
  const claims = { iss: ISSUER, aud: '/projects/7', groups: [] }
  const sign = (changes: object = {}, header: object = {}, key?: CryptoKey | Uint8Array) =>
    signer.sign({ ...claims, ...changes }, header, key)
  return { ...signer, sign, open, openWith: async (changes: object) => open(await sign(changes)) }
}

test('a token of the proxy identifies the agent and the groups', async () => {
  const signInOrigins = ['https://accounts.google.com']
  const { openWith, requests } = await createProxy({ groupsClaim: 'roles', signInOrigins })
  const page = await openWith({ roles: ['leads'], groups: ['other'] })
  expect(page).toMatchObject({ status: 200, outcome: 'shown' })
  expect(page.html).toContain('Signed in as robin@acme.example')
  expect(page.html).toContain('Value: leads<')
  const policy = page.response.headers.get('content-security-policy')
  expect(policy).toContain("form-action 'self' https://accounts.google.com;")
  await openWith({})
  expect(requests).toEqual([KEYS])
})

test.each([
  ['groups', 'groups', { groups: ['leads'] }],
  ['the default claim', undefined, { groups: ['leads'] }],
  ['a path', 'realm_access.roles', { realm_access: { roles: ['leads'] } }],
  ['a name with dots', 'https://acme.example/groups', { 'https://acme.example/groups': ['leads'] }],
  ['a name with dots in a claim', 'custom.a.b', { custom: { 'a.b': ['leads'] } }],
  ['one group', 'roles', { roles: 'leads' }],
])('the claim with the groups can be %s', async (_name, groupsClaim, claims) => {
  const { openWith } = await createProxy(groupsClaim === undefined ? {} : { groupsClaim })
  expect((await openWith(claims)).html).toContain('Value: leads<')
})

test('the ID of the agent is the subject, or the address if the subject is empty', async () => {
  const { openWith } = await createProxy()
  expect((await openWith({})).html).toContain('ID: user-7<')
  expect((await openWith({ sub: '' })).html).toContain('ID: robin@acme.example<')
})

test.each(['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'EdDSA'])(
  'a token that is signed with %s is accepted',
  async (alg) => {
    const { openWith } = await createProxy({}, alg)
    expect(await openWith({})).toMatchObject({ status: 200 })
  },
)

test.each([-20, 20])('clocks may be %i s apart', async (seconds) => {
  const { openWith } = await createProxy()
  const time = now() + seconds
  expect((await openWith({ iat: time, nbf: time, exp: time + 5 })).status).toBe(200)
})

test.each([
  ['a different issuer', { iss: 'https://evil.example' }],
  ['no issuer', { iss: undefined }],
  ['a different audience', { aud: '/projects/8' }],
  ['no audience', { aud: undefined }],
  ['an expiry in the past', { exp: now() - 60 }],
  ['no expiry', { exp: undefined }],
  ['a start in the future', { nbf: now() + 600 }],
  ['a time of issue in the future', { iat: now() + 600 }],
  ['a service instead of an agent', { email: undefined }],
  ['no subject', { sub: undefined }],
])('a token with %s is denied', async (_name, claims) => {
  const { openWith } = await createProxy()
  expect(await openWith(claims)).toMatchObject({ status: 403 })
})

test('a token with a different key, algorithm, header or without a signature is denied', async () => {
  const { open, sign, jwk } = await createProxy()
  const { privateKey: other } = await generateKeyPair('ES256')
  const valid = await sign()
  const [, payload] = valid.split('.')
  const forged = [
    await sign({}, {}, other),
    // The public key as a shared secret.
    await sign({}, { alg: 'HS256' }, new TextEncoder().encode(JSON.stringify(jwk))),
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

test.each<[string, () => unknown]>([
  ['signedHeader: header must be', () => signedHeader({ ...REQUIRED, header: 'two words' })],
  ['signedHeader: keys must be', () => signedHeader({ ...REQUIRED, keys: 'http://a.example' })],
  ['signedHeader: audience must be', () => signedHeader({ ...REQUIRED, audience: '' })],
  ['signedHeader: issuer must be', () => signedHeader({ ...REQUIRED, issuer: '' })],
  ['the name of a team', () => cloudflareAccess({ team: 'a.cloudflareaccess.com', audience: 'a' })],
  ['audience', () => cloudflareAccess({ team: 'acme', audience: ' ' })],
])('an invalid option is an error: %s', (message, create) => {
  expect(create).toThrow(message)
})

describe('cloudflareAccess()', () => {
  const TEAM = 'https://acme.cloudflareaccess.com'

  async function createTeam(options: object = {}) {
    const signer = await createSigner()
    const all = { team: 'acme', audience: 'aud-tag', fetch: signer.fetch, ...options }
    const open = createOpen(cloudflareAccess(all), 'cf-access-jwt-assertion')
    const claims = { iss: TEAM, aud: ['aud-tag'], custom: { groups: [] } }
    const openWith = async (changes: object = {}) =>
      open(await signer.sign({ ...claims, ...changes }))
    return { ...signer, openWith }
  }

  test('reads the token of the team with its keys', async () => {
    const { openWith, requests } = await createTeam()
    const page = await openWith()
    expect(page).toMatchObject({ status: 200, outcome: 'shown' })
    expect(page.html).toContain('Signed in as robin@acme.example')
    expect(requests).toEqual([`${TEAM}/cdn-cgi/access/certs`])
    // An expired sign-in redirects the form to the team’s page.
    const policy = page.response.headers.get('content-security-policy')
    expect(policy).toContain(`form-action 'self' ${TEAM};`)
  })

  test.each([
    ['a list', { custom: { groups: ['leads'] } }, {}],
    ['one group', { custom: { groups: 'leads' } }, {}],
    ['a claim with a different name', { custom: { roles: ['leads'] } }, { groupsClaim: 'roles' }],
  ])('reads groups from a custom claim: %s', async (_name, claims, options) => {
    const { openWith } = await createTeam(options)
    expect((await openWith(claims)).html).toContain('Value: leads<')
    // The agent cannot choose them elsewhere.
    expect((await openWith({ groups: ['leads'], custom: {} })).html).not.toContain('leads')
  })

  test.each([
    ['of a different team', { iss: 'https://evil.cloudflareaccess.com' }],
    ['of a different application', { aud: ['other'] }],
    ['of a service', { email: undefined, sub: '', common_name: 'ci' }],
    ['with an empty email', { email: '', sub: '' }],
  ])('denies a token %s', async (_name, claims) => {
    const { openWith } = await createTeam()
    expect(await openWith(claims)).toMatchObject({ status: 403 })
  })

  test('denies everyone if the keys cannot be fetched', async () => {
    const { openWith } = await createTeam({ fetch: () => Promise.reject(new Error('offline')) })
    expect(await openWith()).toMatchObject({ status: 403 })
  })
})
