import * as oauth from 'oauth4webapi'
import { readProperty } from '../../internal/hostile-values.ts'
import { isLoopback } from '../../internal/is-loopback.ts'
import { checkIssuedAt, type Claims, describeAge, isGoogle, type SendRequest } from './claims.ts'
import type { Attempt } from './open-id-cookies.ts'

// This is a separate module, so that an app only loads the OAuth library when a sign-in begins.

/** The tolerated difference between the clocks of the provider and the app. */
const TOLERANCE_SECONDS = 60

/** How long the provider's endpoints and keys are cached. */
const METADATA_MS = 3_600_000

/** The library passes `undefined` for an absent body. */
type Fetch = (url: string, init: object) => Promise<Response>

type Server = oauth.AuthorizationServer

/** An attempt, and the request that continues it. */
interface Exchange extends Attempt {
  readonly redirectUri: string
  readonly signal: AbortSignal
  /** How long ago the agent may have entered the password. */
  readonly maxAgeSeconds: number | undefined
}

export type OpenIdProvider = ReturnType<typeof createProvider>

/** Creates the client of an OpenID provider. Its errors contain neither tokens nor claims. */
export function createProvider(issuer: string, clientId: string, fetch: SendRequest | undefined) {
  const url = new URL(issuer)
  const client: oauth.Client = { client_id: clientId, [oauth.clockTolerance]: TOLERANCE_SECONDS }
  // The server is not cached as a promise: on Workers, a request cannot wait for a promise of
  // another one.
  let known: { readonly server: Server; readonly untilMs: number } | undefined

  const customFetch: Fetch | undefined = fetch
  const optionsOf = (signal: AbortSignal) => ({
    signal,
    [oauth.allowInsecureRequests]: isLoopback(url.hostname),
    ...(customFetch !== undefined && { [oauth.customFetch]: customFetch }),
  })

  async function readServer(signal: AbortSignal): Promise<Server> {
    if (known === undefined || known.untilMs < Date.now()) {
      const response = await oauth.discoveryRequest(url, optionsOf(signal))
      const server = await oauth.processDiscoveryResponse(url, response)
      known = { server, untilMs: Date.now() + METADATA_MS }
    }
    return known.server
  }

  return {
    /** Returns the URL at the provider where the agent signs in. */
    authorizationUrl: (
      { state, nonce, verifier, redirectUri, signal, maxAgeSeconds }: Exchange,
      { scope, acrValues }: { readonly scope: string; readonly acrValues: readonly string[] },
      mustAsk: boolean,
    ): Promise<string> =>
      describeErrors(async () => {
        const { authorization_endpoint = '' } = await readServer(signal)
        const target = new URL(authorization_endpoint)
        const parameters = {
          response_type: 'code',
          client_id: clientId,
          redirect_uri: redirectUri,
          scope,
          state,
          nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          // Google documents no `login`, and rejects unknown values.
          ...(maxAgeSeconds !== undefined && { max_age: String(maxAgeSeconds) }),
          ...(acrValues.length > 0 && { acr_values: acrValues.join(' ') }),
          ...(mustAsk && { prompt: isGoogle(issuer) ? 'select_account' : 'login' }),
        }
        for (const [name, value] of Object.entries(parameters)) {
          target.searchParams.set(name, value)
        }
        return target.href
      }),

    /**
     * Exchanges the code of the provider's reply, and verifies the ID token.
     *
     * @param needsUserInfo whether the ID token lacks a claim
     */
    readClaims: (
      reply: URLSearchParams,
      { state, nonce, verifier, redirectUri, signal, maxAgeSeconds }: Exchange,
      secret: string | undefined,
      needsUserInfo: (idToken: Claims) => boolean,
    ): Promise<{ readonly idToken: Claims; readonly userInfo: Claims }> =>
      describeErrors(async () => {
        const server = await readServer(signal)
        const options = optionsOf(signal)
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          chooseAuth(server, secret),
          oauth.validateAuthResponse(server, client, reply, state),
          redirectUri,
          verifier,
          options,
        )
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: nonce,
          requireIdToken: true,
          ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
        })
        await oauth.validateApplicationLevelSignature(server, response, options)
        const idToken = oauth.getValidatedIdTokenClaims(tokens)!
        checkIssuedAt(idToken, TOLERANCE_SECONDS)
        if (server.userinfo_endpoint === undefined || !needsUserInfo(idToken)) {
          return { idToken, userInfo: {} }
        }
        const { access_token } = tokens
        const replied = await oauth.userInfoRequest(server, client, access_token, options)
        const userInfo = await oauth.processUserInfoResponse(server, client, idToken.sub, replied)
        return { idToken, userInfo }
      }),
  }
}

function chooseAuth(
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: Server,
  secret: string | undefined,
): oauth.ClientAuth {
  if (secret === undefined) return oauth.None()
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret)
}

/**
 * Runs a call without the cause of its errors: the library sets it to the reply,
 * which must not be logged.
 */
async function describeErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const cause = readProperty(error, 'cause')
    const code = readProperty(error, 'error') ?? readProperty(cause, 'code')
    const suffix = typeof code === 'string' && /^\w{1,40}$/.test(code) ? ` (${code})` : ''
    const isLate = readProperty(error, 'code') === oauth.JWT_TIMESTAMP_CHECK
    const age = isLate ? `.${describeAge(readProperty(cause, 'claims'))}` : ''
    // oxlint-disable-next-line preserve-caught-error -- see above
    throw new Error(`The provider: ${String(readProperty(error, 'message'))}${suffix}${age}`)
  }
}
