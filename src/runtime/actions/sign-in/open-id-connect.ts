import type { Context } from 'hono'
import type { DefaultBindings } from '../../app/request/bindings.ts'
import { isBinding, isSecretSource, type SecretSource } from '../../app/request/secrets.ts'
import { isArray } from '../../internal/hostile-values.ts'
import { SETUP_PROBLEMS } from '../../internal/setup.ts'
import {
  flag,
  func,
  hasMethods,
  integer,
  invalidOption,
  isRecord,
  kind,
  readOptions,
  required,
  strings,
  text,
  withDefault,
} from '../../internal/read-options.ts'
import {
  type IdentifiedAgent,
  SIGN_OUT,
  SIGNED_OUT,
  type SignIn,
  type SignInRequest,
  signInRequestOf,
} from './agent.ts'
import {
  type Claims,
  isGoogle,
  readClaim,
  readGroups,
  SECURE_URL,
  type SendRequest,
} from './claims.ts'
import { DenialError, groupsMissing, limitGroups } from './groups.ts'
import { type Attempt, openCookies, type Session } from './open-id-cookies.ts'
import type { OpenIdProvider } from './open-id-provider.ts'
import { findSecrets } from '../links/setup.ts'
import { createId, digest } from '../links/crypto.ts'

/** The value of a claim that an app requires. */
type ClaimValue = string | number | boolean

/** Where an app keeps the sessions that have ended early. */
export interface Sessions {
  /**
   * Returns whether a session was revoked, or all sessions of its agent. It is called for
   * each page and at each sign-in. An error or a timeout denies the request.
   */
  isRevoked(id: string, agent: IdentifiedAgent): boolean | PromiseLike<boolean>
  /** Revokes a session. It is called when the agent signs out. */
  revoke(id: string, agent: IdentifiedAgent): unknown
}

/** Options of `openIdConnect()`. `B` is the type of the bindings. */
export interface OpenIdConnectOptions<B = DefaultBindings> {
  /** The URL of the provider, exactly as in its metadata, such as `https://accounts.google.com`. */
  readonly issuer: string
  /** The ID of this app at the provider. */
  readonly clientId: string
  /**
   * The secret of this app at the provider, in one of the forms that
   * `secretHeader()` accepts. Of several, the first one is used. Without a secret,
   * only PKCE protects the code.
   */
  readonly clientSecret?: SecretSource<B>
  /**
   * The claims that a token must have, such as `{ hd: 'acme.example' }`: each with its exact
   * value, or an array of allowed values. Other accounts are denied. Required for Google,
   * with `hd` (the Workspace domain) or `sub`, because every Google account can sign in there.
   */
  readonly claims?: Readonly<Record<string, ClaimValue | readonly ClaimValue[]>> | undefined
  /**
   * The groups that the app uses, such as `['leads']`. `ctx.agent.groups` contains
   * no others, because hundreds of groups would not fit into a cookie, and a rule that
   * asks for a different group denies the request. At most 1,500 bytes as JSON.
   * @default []
   */
  readonly groups?: readonly string[] | undefined
  /** The claim with the agent's groups, or a path such as `realm_access.roles`, in the ID token or in the user info. @default 'groups' */
  readonly groupsClaim?: string | undefined
  /**
   * Whether the provider leaves out the claim for agents without groups. Otherwise, a
   * sign-in without the claim fails, because the groups are not known. @default false
   */
  readonly omitsEmptyGroups?: boolean | undefined
  /** The scopes that the app requests from the provider. It must contain `openid`. @default 'openid profile email' */
  readonly scope?: string | undefined
  /** How long a sign-in is valid, in seconds, from 60 to 86,400. @default 28800 */
  readonly sessionSeconds?: number | undefined
  /** How long a session lasts without a request to the page, in seconds, from 60. @default no limit */
  readonly idleSeconds?: number | undefined
  /**
   * The sessions that have ended early, or a function of the bindings. Without it, a copied
   * cookie works until its session expires, even after a sign-out.
   */
  readonly sessions?: Sessions | ((env: B) => Sessions | PromiseLike<Sessions>) | undefined
  /**
   * How long ago the agent may have entered the password when a session starts, in seconds.
   * The provider asks for it again (`max_age`), and the claim `auth_time` is checked.
   */
  readonly maxAgeSeconds?: number | undefined
  /** The levels of authentication that the app asks for (`acr_values`). Check the result with `claims: { acr }`. */
  readonly acrValues?: readonly string[] | undefined
  /** Sends the requests to the provider. @default the platform's `fetch` */
  readonly fetch?: SendRequest | undefined
}

const SECRET = kind(
  "the secret of the app at the provider, a function of the bindings, or { binding: 'OIDC_CLIENT_SECRET' }",
  isSecretSource,
)

const MAX_GROUPS_BYTES = 1_500

const GROUPS = kind<readonly string[]>(
  `an array of group names, of at most ${MAX_GROUPS_BYTES} bytes as JSON`,
  (value) =>
    strings.accepts(value) &&
    new TextEncoder().encode(JSON.stringify(value)).length <= MAX_GROUPS_BYTES,
)

const isClaimValue = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

const CLAIMS = kind<NonNullable<OpenIdConnectOptions['claims']>>(
  "an object with the required claims, such as { hd: 'acme.example' }",
  (value) =>
    isRecord(value) &&
    Object.keys(value).length > 0 &&
    Object.values(value).every((one) =>
      isArray(one) ? one.length > 0 && one.every(isClaimValue) : isClaimValue(one),
    ),
)

const SESSIONS = kind<NonNullable<OpenIdConnectOptions['sessions']>>(
  'an object with the functions isRevoked and revoke, or a function of the bindings',
  (value) => typeof value === 'function' || areSessions(value),
)

function areSessions(value: unknown): value is Sessions {
  return hasMethods(value, 'isRevoked', 'revoke')
}

const SCOPE = kind<string>(
  "scopes with openid, such as 'openid profile email'",
  (value) => typeof value === 'string' && value.split(' ').includes('openid'),
)

/** Without the option `sessions`, no session ends early. */
const NO_SESSIONS: Sessions = { isRevoked: () => false, revoke: () => undefined }

const KINDS = {
  issuer: required(SECURE_URL),
  clientId: required(text),
  clientSecret: SECRET,
  claims: withDefault(CLAIMS, {}),
  groups: withDefault(GROUPS, []),
  groupsClaim: withDefault(text, 'groups'),
  omitsEmptyGroups: withDefault(flag, false),
  scope: withDefault(SCOPE, 'openid profile email'),
  sessionSeconds: withDefault(integer(60, 86_400, ' (seconds)'), 28_800),
  idleSeconds: integer(60, 86_400, ' (seconds)'),
  sessions: withDefault(SESSIONS, NO_SESSIONS),
  maxAgeSeconds: integer(0, 86_400, ' (seconds)'),
  acrValues: withDefault(strings, []),
  fetch: func,
}

/**
 * Signs agents in at an OpenID provider, without a proxy: authorization code with
 * PKCE. The redirect URI is the URL of the page, `<publicUrl>/actions`, over https
 * except on loopback. An encrypted cookie, which other subdomains cannot set,
 * contains the agent's ID, email address, name and groups. An email address is left out
 * unless the provider says that it is verified.
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/sign-in.md#openid-connect
 * @example
 * signIn: openIdConnect({
 *   issuer: 'https://acme.okta.com',
 *   clientId: '0oa1b2c3',
 *   clientSecret: { binding: 'OIDC_CLIENT_SECRET' },
 *   groups: ['leads'],
 * })
 */
export function openIdConnect<B = DefaultBindings>(options: OpenIdConnectOptions<B>): SignIn {
  const given = options as OpenIdConnectOptions
  const { sessions, clientSecret, ...read } = readOptions('openIdConnect', given, KINDS)
  const { issuer, clientId, claims, groups, groupsClaim, omitsEmptyGroups, maxAgeSeconds } = read
  if (isGoogle(issuer) && claims['hd'] === undefined && claims['sub'] === undefined) {
    const expected =
      "an object with hd or sub, such as { hd: 'acme.example' }, because every Google account can sign in at this issuer, and hd is the domain of a Workspace account"
    throw invalidOption('openIdConnect', 'claims', expected)
  }
  let loaded: OpenIdProvider | undefined

  async function loadProvider(): Promise<OpenIdProvider> {
    const { createProvider } = await import('./open-id-provider.ts')
    return (loaded ??= createProvider(issuer, clientId, read.fetch))
  }

  async function signIn(c: Context) {
    const request = signInRequestOf(c)
    const { pageUrl, audience } = request
    if (!SECURE_URL.accepts(pageUrl)) {
      throw new DenialError('openIdConnect() needs an https URL as publicUrl of actions().')
    }
    // A session may not fulfill what these options require now, so changing them ends all sessions.
    const rules = JSON.stringify([claims, groupsClaim, omitsEmptyGroups, groups, maxAgeSeconds])
    const cookies = await openCookies(c, request, await digest(audience, issuer, clientId, rules))
    const { searchParams } = new URL(c.req.url)
    const isPost = c.req.method === 'POST'
    if (!isPost && searchParams.has('state') && !searchParams.has('t')) {
      return finish(c, request, cookies, searchParams)
    }
    const session = await cookies.readSession(read.idleSeconds)
    if (isPost && searchParams.has(SIGN_OUT)) {
      cookies.endSession()
      if (session !== undefined) {
        await (await readSessions(request)).revoke(session.id, session.agent)
      }
      return redirect(c, `${pageUrl}?${SIGNED_OUT}`)
    }
    const isRevoked = session && (await isSessionRevoked(request, session))
    if (session !== undefined && !isRevoked) {
      const { agent } = session
      return agent.groups ? { ...agent, groups: limitGroups(agent.groups, groups) } : agent
    }
    if (isRevoked) cookies.endSession()
    // After a 401, the page keeps the entered values, which a redirect would lose.
    if (isPost) return c.body(null, 401)
    const provider = await loadProvider()
    const attempt = await cookies.startAttempt(searchParams.get('t') ?? '')
    const exchange = exchangeOf(request, attempt)
    const mustAsk = isRevoked === true || cookies.hasSignedOut
    return redirect(c, await provider.authorizationUrl(exchange, read, mustAsk))
  }

  function exchangeOf({ pageUrl: redirectUri, signal }: SignInRequest, attempt: Attempt) {
    return { ...attempt, redirectUri, signal, maxAgeSeconds }
  }

  async function finish(
    c: Context,
    request: SignInRequest,
    cookies: Awaited<ReturnType<typeof openCookies>>,
    reply: URLSearchParams,
  ) {
    const { attempt, token } = await cookies.endAttempt(reply.get('state') ?? '')
    try {
      const provider = await loadProvider()
      const secret = await readSecret(request.env, request.rawEnv)
      const exchange = exchangeOf(request, attempt)
      const found = await provider.readClaims(reply, exchange, secret, needsUserInfo)
      const endsAtSeconds = Math.floor(request.nowMs / 1_000) + read.sessionSeconds
      const session = { id: createId(), agent: toAgent(found), endsAtSeconds }
      // Otherwise, the browser would go back and forth between the page and the provider.
      if (await isSessionRevoked(request, session)) {
        throw new DenialError('The sessions of this agent are revoked.', 'otherAccount')
      }
      await cookies.writeSession(session)
    } catch (error) {
      const { message = 'The sign-in failed.', reason } = error as Partial<DenialError>
      // Otherwise, the provider would choose the same account again.
      if (reason === 'otherAccount') cookies.endSession()
      throw new DenialError(message, reason, token)
    }
    return redirect(c, `${request.pageUrl}?t=${encodeURIComponent(token)}`)
  }

  async function readSessions({ env }: SignInRequest): Promise<Sessions> {
    const found: unknown = typeof sessions === 'function' ? await sessions(env as never) : sessions
    if (areSessions(found)) return found
    throw new DenialError(`sessions of openIdConnect() must return ${SESSIONS.expected}.`)
  }

  async function isSessionRevoked(
    request: SignInRequest,
    { id, agent }: Session,
  ): Promise<boolean> {
    const found: unknown = await (await readSessions(request)).isRevoked(id, agent)
    if (typeof found === 'boolean') return found
    throw new DenialError('isRevoked of openIdConnect() must return true or false.')
  }

  /**
   * Returns the secret of this app; `undefined` if the option is not set. @throws
   * {DenialError} if it is missing
   */
  async function readSecret(env: unknown, rawEnv: unknown): Promise<string | undefined> {
    if (clientSecret === undefined) return undefined
    const [secret] = await findSecrets(clientSecret, env, rawEnv)
    if (secret !== undefined) return secret
    const name = isBinding(clientSecret)
      ? clientSecret.binding
      : 'the option clientSecret of openIdConnect()'
    throw new DenialError(
      `Agents cannot sign in for actions: set ${name} to the secret of this app at the provider.`,
    )
  }

  function needsUserInfo(idToken: Claims): boolean {
    const names = ['email', ...Object.keys(claims), ...(groups.length > 0 ? [groupsClaim] : [])]
    return names.some((name) => (readClaim(idToken, name) ?? null) === null)
  }

  /** @throws {DenialError} if a required claim is missing or has a different value */
  function checkClaims(idToken: Claims, userInfo: Claims): void {
    for (const [name, expected] of Object.entries(claims)) {
      const value = readClaim(idToken, name) ?? readClaim(userInfo, name)
      const allowed: readonly unknown[] = isArray(expected) ? expected : [expected]
      if (allowed.includes(value)) continue
      const problem = (value ?? null) === null ? 'is missing' : 'does not have an allowed value'
      throw new DenialError(`The claim ${name} of the token ${problem}.`, 'otherAccount')
    }
  }

  function toAgent({ idToken, userInfo }: Record<'idToken' | 'userInfo', Claims>): IdentifiedAgent {
    checkClaims(idToken, userInfo)
    // `email_verified` is only valid for the email address from the same source.
    const { email, email_verified: verified } = idToken.email === undefined ? userInfo : idToken
    const isVerified = verified === true || verified === 'true'
    const { name } = { ...userInfo, ...idToken }
    return {
      id: idToken.sub as string,
      ...(isVerified && typeof email === 'string' && { email }),
      ...(typeof name === 'string' && { name: name.slice(0, MAX_NAME) }),
      ...(groups.length > 0 && { groups: groupsOf(idToken, userInfo) }),
    }
  }

  function groupsOf(...sources: readonly Claims[]): readonly string[] {
    const found = readGroups(groupsClaim, ...sources)
    if (found === undefined && !omitsEmptyGroups) {
      throw groupsMissing(`The claim ${groupsClaim} of the token`)
    }
    return groups.filter((group) => found?.includes(group))
  }

  return Object.assign(signIn, {
    canSignOut: true,
    [SETUP_PROBLEMS]: (env: unknown, rawEnv: unknown) =>
      readSecret(env, rawEnv).then(
        () => [],
        ({ message }: DenialError) => [message],
      ),
  })
}

const MAX_NAME = 100

function redirect(c: Context, url: string): Response {
  c.header('cache-control', 'no-store')
  c.header('referrer-policy', 'no-referrer')
  return c.redirect(url, 303)
}
