import { readProperty } from '../../internal/hostile-values.ts'
import { DenialError } from './denial-error.ts'

/**
 * Describes when a token was issued by the clock of this server, for an error about its
 * times. The usual cause is a clock that is wrong.
 */
export function describeAge(claims: unknown): string {
  const ageSeconds = Math.floor(Date.now() / 1_000) - Number(readProperty(claims, 'iat'))
  if (Number.isNaN(ageSeconds)) return ''
  const place = ageSeconds < 0 ? 'in the future' : 'ago'
  return ` By the clock of this server, the token was issued ${Math.abs(ageSeconds)} seconds ${place}. Compare the clocks.`
}

/**
 * Libraries accept any time of issue, even one that only a wrong clock can write.
 *
 * @throws {DenialError} if a token was issued in the future
 */
export function checkIssuedAt(claims: { readonly iat?: unknown }, toleranceSeconds: number): void {
  if (!(Number(claims.iat) > Date.now() / 1_000 + toleranceSeconds)) return
  throw new DenialError(`The token was issued in the future.${describeAge(claims)}`)
}
