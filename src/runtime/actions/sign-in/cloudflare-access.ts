import {
  flag,
  func,
  kind,
  readOptions,
  required,
  text,
  withDefault,
} from '../../internal/read-options.ts'
import type { SignIn } from './agent.ts'
import type { SendRequest } from './claims.ts'
import { readToken } from './signed-header.ts'

/** Options of `cloudflareAccess()`. */
export interface CloudflareAccessOptions {
  /** The name of the team: `acme` in `acme.cloudflareaccess.com`. */
  readonly team: string
  /** The audience tag of the Access application that covers `/actions`. */
  readonly audience: string
  /**
   * The custom claim with the agent's groups, as the identity provider's settings in Access
   * name it. With this option, a token without the claim is denied, because the groups
   * are not known. @default 'groups'
   */
  readonly groupsClaim?: string | undefined
  /** Whether the identity provider leaves out the claim for agents without groups. @default false */
  readonly omitsEmptyGroups?: boolean | undefined
  /** Fetches the team's public keys. @default the platform's `fetch` */
  readonly fetch?: SendRequest | undefined
}

/**
 * Reads the agent from the token of Cloudflare Access. It verifies the signature
 * (with the team's keys), the issuer, the audience and the times. Service tokens
 * are denied.
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/sign-in.md#cloudflare-access
 * @example signIn: cloudflareAccess({ team: 'acme', audience: '8f3c0a' })
 *
 */
export function cloudflareAccess(options: CloudflareAccessOptions): SignIn {
  const { team, ...read } = readOptions('cloudflareAccess', options, {
    team: required(
      kind<string>(
        "the name of a team, such as 'acme' of acme.cloudflareaccess.com",
        (value) => typeof value === 'string' && /^[a-z0-9][a-z0-9-]*$/.test(value),
      ),
    ),
    audience: required(text),
    groupsClaim: text,
    omitsEmptyGroups: withDefault(flag, false),
    fetch: func,
  })
  const issuer = `https://${team}.cloudflareaccess.com`
  const header = 'cf-access-jwt-assertion'
  const keys = `${issuer}/cdn-cgi/access/certs`
  const signIn = readToken({ ...read, header, issuer, keys }, 'custom.')
  return Object.assign(signIn, { signInOrigins: [issuer] })
}
