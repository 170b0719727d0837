import { INSTANCE_HEADER } from '../../internal/headers.ts'
import { randomCode } from '../../service/codes.ts'
import { createEndpointClient } from '../../service/endpoint-client.ts'
import { createTransport } from '../transport/transport.ts'
import type { CliContext } from '../io.ts'
import type { Traffic } from './traffic.ts'

/** The result of a handshake: whether the endpoint responds, and the ID of its code. */
export type Probed =
  | { readonly kind: 'response'; readonly instance: string | undefined }
  /** `silent`: something listens, and does not respond in time. `away`: nothing listens. */
  | { readonly kind: 'silent' | 'away' }

/** Performs a handshake that the workspace does not show. Never rejects. */
export type Probe = () => Promise<Probed>

const TIMEOUT_MS = 1_000

/** Creates the probe of an app, which never calls `fetchData`. */
export function createProbe(
  target: URL,
  headers: () => Readonly<Record<string, string>>,
  traffic: Traffic,
  { env }: CliContext,
): Probe {
  const { fetch } = createTransport(env)
  return async () => {
    const options = { target, headers: headers(), timeoutMs: TIMEOUT_MS, dev: true, fetch }
    const { exchange } = await createEndpointClient(options).handshake(randomCode())
    const { response, failure } = exchange
    if (response === undefined) return { kind: failure?.kind === 'timeout' ? 'silent' : 'away' }
    const instance = response.headers[INSTANCE_HEADER]
    traffic.see(instance)
    return { kind: 'response', instance }
  }
}
