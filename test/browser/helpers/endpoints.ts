import { getRequestListener } from '@hono/node-server'
import { listen } from '../../helpers/listen.ts'
import type { FetchTarget } from '../../../src/tools/service/endpoint/target.ts'

/** An in-process endpoint: it performs the handshake, and responds to data fetches with a payload or a `Response`. */
export function endpoint(respond: (parameters: URLSearchParams) => unknown): FetchTarget {
  return {
    async fetch(request: Request) {
      const { searchParams } = new URL(request.url)
      if (searchParams.get('request_type') === 'verify') {
        return Response.json({ code: searchParams.get('code') })
      }
      const value = await respond(searchParams)
      return value instanceof Response ? value : Response.json(value)
    },
  }
}

/** Creates a payload with the given components. */
export function createPayload(...components: readonly unknown[]): object {
  return { version: '1.0.0', header: { title: 'Widget' }, components }
}

/** Creates a payload with the account that was requested. */
export function echoAccount(parameters: URLSearchParams): object {
  return createPayload({
    type: 'text',
    label: 'Account',
    value: parameters.get('account_id') ?? 'none',
  })
}

/** Serves a handler on a free port until the test is over, and returns its URL. */
export function serve(fetch: FetchTarget['fetch']): Promise<string> {
  const listener = getRequestListener(fetch)
  return listen((request, response) => void listener(request, response))
}
