import { ClientError } from './errors.ts'

const TOKEN = /^[\x21-\x7E]+$/

/**
 * Returns the token if it is valid in a header.
 *
 * @throws {ClientError} `invalid_access_token`, without repeating it
 */
export function assertAccessToken(token: unknown): string {
  if (typeof token === 'string' && TOKEN.test(token)) return token
  const hint =
    typeof token === 'string' && /^bearer\s/i.test(token)
      ? 'Pass the token without the word Bearer.'
      : 'Is the secret set?'
  throw new ClientError(
    'invalid_access_token',
    `createClient: accessToken must be non-empty printable ASCII without whitespace. ${hint}`,
  )
}

/**
 * Returns the token, or calls the function that returns it.
 *
 * @throws {ClientError} `invalid_access_token`
 */
export async function loadAccessToken(
  accessToken: string | (() => string | Promise<string>),
): Promise<string> {
  if (typeof accessToken === 'string') return accessToken
  let token: unknown
  try {
    token = await accessToken()
  } catch {
    // The error is dropped, because its message may contain the token.
    throw new ClientError(
      'invalid_access_token',
      'createClient: accessToken: the token function threw.',
    )
  }
  return assertAccessToken(token)
}
