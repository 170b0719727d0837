import type { Auth } from './auth.ts'

/** Returns the problems of an authentication's configuration, one line each. Never rejects. */
export async function listAuthProblems<B>(auth: Auth<B>, env: B): Promise<readonly string[]> {
  try {
    const result = await auth.authenticate(new Request('http://localhost/'), env)
    if (result !== 'unconfigured') return []
    return [auth.setupHint?.(env) ?? 'No secret is set: all requests are rejected.']
  } catch {
    return []
  }
}
