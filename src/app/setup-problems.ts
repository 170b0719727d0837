import { runWithin } from '../internal/user-code.ts'
import type { Auth } from './auth.ts'

/** Returns the problems of an authentication's configuration, one line each. Never rejects. */
export async function listAuthProblems<B>(
  auth: Auth<B>,
  env: B,
  timeoutMs: number,
): Promise<readonly string[]> {
  try {
    const request = new Request('http://localhost/')
    const result = await runWithin(timeoutMs, () => auth.authenticate(request, env))
    if (result !== 'unconfigured') return []
    return [auth.setupHint?.(env) ?? 'No secret is set: all requests are rejected.']
  } catch {
    return []
  }
}
