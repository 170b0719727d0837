import type { FetchTarget } from '../../../src/tools/service/endpoint/target.ts'
import { serializeErrorDetails } from '../../../src/runtime/internal/failure-detail.ts'
import { createPayload } from './endpoints.ts'

/** The trace ID of every response of the failing endpoint. */
export const TRACE_ID = 'k7m2p9qx4w8z'

/** The stack of its first failure. */
export const FAILING_STACK =
  "TypeError: Cannot read properties of undefined (reading 'plan')\n    at fetchData (src/app.ts:18:31)"

/** An endpoint that reports a thrown error, as Sidecard apps do in development. */
export function failingEndpoint(): FetchTarget {
  const error = serializeErrorDetails([
    {
      kind: 'callback_failed',
      error: {
        name: 'TypeError',
        message: "Cannot read properties of undefined (reading 'plan')",
        stack: FAILING_STACK,
      },
    },
    {
      kind: 'section_failed',
      section: 'Recent errors',
      component: 1,
      error: {
        name: 'PayloadError',
        message: 'The section is invalid.',
        issues: [
          {
            path: 'components[0].value',
            code: 'invalid_type',
            message: '`value` is a number, expected a string',
            fix: 'Write "42".',
          },
        ],
      },
    },
  ])
  return {
    fetch({ url }) {
      const { searchParams } = new URL(url)
      if (searchParams.get('request_type') === 'verify') {
        return Response.json({ code: searchParams.get('code') })
      }
      return Response.json(
        createPayload({ type: 'text', label: 'Error', value: 'Not available at the moment.' }),
        {
          headers: {
            'x-sidecard-failure': 'callback_failed, section_failed;component=1',
            'x-sidecard-trace': TRACE_ID,
            'x-sidecard-error': error,
            'server-timing':
              'fetchData;dur=42, section;desc="Recent errors";dur=30;start=5, store;dur=4900;start=6',
          },
        },
      )
    },
  }
}
