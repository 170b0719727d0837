import { getRequestListener } from '@hono/node-server'
import { listen } from '../../helpers/listen.ts'
import type { FetchTarget } from '../../../src/desk/target.ts'

/** An endpoint in process: it shakes hands, and answers a data request with what it is given. */
export function endpoint(answer: (parameters: URLSearchParams) => unknown): FetchTarget {
  return {
    fetch(request: Request) {
      const { searchParams } = new URL(request.url)
      if (searchParams.get('request_type') === 'verify') {
        return Response.json({ code: searchParams.get('code') })
      }
      const value = answer(searchParams)
      return value instanceof Response ? value : Response.json(value)
    },
  }
}

/** A payload of these components. */
export function payloadOf(...components: readonly unknown[]): object {
  return { version: '1.0.0', header: { title: 'Widget' }, components }
}

/** Serves a handler on a free port until the test is over; answers with its address. */
export function serve(fetch: FetchTarget['fetch']): Promise<string> {
  const listener = getRequestListener(fetch)
  return listen((request, response) => void listener(request, response))
}
