/**
 * Compares a given string with a secret in a time that depends on the length of
 * what was given only, not on the secret nor on where the two first differ.
 *
 * Written by hand because no constant-time comparison exists on every runtime,
 * and hashing both sides first costs more than the rest of a request.
 */
export function constantTimeEqual(given: string, secret: string): boolean {
  const { length } = secret
  if (length === 0) return false
  let difference = given.length ^ length
  for (let index = 0; index < given.length; index += 1) {
    difference |= given.charCodeAt(index) ^ secret.charCodeAt(index % length)
  }
  return difference === 0
}
