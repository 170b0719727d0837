/**
 * Compares a string with a secret in constant time: the duration depends only on
 * the length of the string, not on the secret or the first difference.
 *
 * Not every runtime has a constant-time comparison, and hashing both sides first
 * costs more than the rest of a request.
 */
export function constantTimeEqual(received: string, secret: string): boolean {
  const { length } = secret
  if (length === 0) return false
  let difference = received.length ^ length
  for (let index = 0; index < received.length; index += 1) {
    difference |= received.charCodeAt(index) ^ secret.charCodeAt(index % length)
  }
  return difference === 0
}
