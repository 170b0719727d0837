import type { DataFailureReason } from '../responses/validate-data-response.ts'
import type { ResponseRule, TransportReason } from './transport.ts'
import { inGroup, must } from '../response-rule.ts'

const SHAPED = 'The endpoint responds with a JSON object shaped as the custom app data payload.'

/** The rules about one response to a data fetch, except for its payload. @see docs/checks/data.md */
export const dataRules = inGroup<ResponseRule<Exclude<DataFailureReason, TransportReason>>>(
  'data',
  [
    {
      id: 'data-status',
      reasons: ['status'],
      title: 'The data fetch returns HTTP 200',
      ...must(
        'data-fetch',
        `${SHAPED} 200 is the only status that the contract names for an endpoint.`,
      ),
      fix: 'Return 200 with a payload. Send the required secret in a custom header, and use IDs that the endpoint knows.',
      why: 'An unknown customer is a normal case. Say so in a text component instead of returning 404.',
    },
    {
      id: 'data-content-type',
      reasons: ['content_type'],
      title: 'The data fetch does not declare a non-JSON Content-Type',
      ...must('data-fetch', SHAPED),
      fix: 'Set Content-Type to application/json.',
      why: 'Clients must trust the declared type (RFC 9110, section 8.3). If the response is declared as HTML, text that a customer typed can run as code in the browser of anyone who opens the URL.',
    },
    {
      id: 'data-utf8',
      reasons: ['not_utf8', 'byte_order_mark'],
      title: 'The data response is UTF-8 without a byte order mark',
      ...must('data-fetch', SHAPED),
      fix: 'Write the body as UTF-8 without a byte order mark.',
      why: 'JSON between systems is UTF-8 without a byte order mark (RFC 8259, section 8.1). Latin-1 breaks on the first accented name.',
    },
    {
      id: 'data-json',
      reasons: ['not_json', 'not_an_object'],
      title: 'The data response is a JSON object',
      ...must('data-fetch', SHAPED),
      fix: 'Return one JSON object with version, header and components, serialized with a JSON library.',
      why: 'Common mistakes: an array of components, a string that contains JSON (encoded twice), NaN, a trailing comma, or extra text around the object.',
    },
  ],
)
