import type { DataFailureReason } from '../validate-data-response.ts'
import type { ResponseRule, TransportReason } from './transport.ts'

const SHAPED = 'The endpoint responds with a JSON object shaped as the custom app data payload.'

/** The rules about one response to a data fetch, except for its payload. @see docs/checks/data.md */
export const dataRules: ReadonlyArray<ResponseRule<Exclude<DataFailureReason, TransportReason>>> = [
  {
    id: 'data-status',
    group: 'data',
    level: 'MUST',
    reasons: ['status'],
    title: 'The data fetch returns HTTP 200',
    contract: {
      statement: `${SHAPED} 200 is the only status that the contract names for an endpoint.`,
      anchor: 'data-fetch',
      basis: 'stated',
    },
    fix: 'Return 200 with a payload. Send the required secret in a custom header, and use IDs that the endpoint knows.',
    why: 'An unknown customer is a normal case. Say so in a text component instead of returning 404.',
  },
  {
    id: 'data-content-type',
    group: 'data',
    level: 'MUST',
    reasons: ['content_type'],
    title: 'The data fetch does not declare a non-JSON Content-Type',
    contract: { statement: SHAPED, anchor: 'data-fetch', basis: 'stated' },
    fix: 'Set Content-Type to application/json.',
    why: 'Clients must trust the declared type (RFC 9110, section 8.3). If the response is declared as HTML, text that a customer typed can run as code in the browser of anyone who opens the URL.',
  },
  {
    id: 'data-utf8',
    group: 'data',
    level: 'MUST',
    reasons: ['not_utf8', 'byte_order_mark'],
    title: 'The data response is UTF-8 without a byte order mark',
    contract: { statement: SHAPED, anchor: 'data-fetch', basis: 'stated' },
    fix: 'Write the body as UTF-8 without a byte order mark.',
    why: 'JSON between systems is UTF-8 without a byte order mark (RFC 8259, section 8.1). Latin-1 breaks on the first accented name.',
  },
  {
    id: 'data-json',
    group: 'data',
    level: 'MUST',
    reasons: ['not_json', 'not_an_object'],
    title: 'The data response is a JSON object',
    contract: { statement: SHAPED, anchor: 'data-fetch', basis: 'stated' },
    fix: 'Return one JSON object with version, header and components, serialized with a JSON library.',
    why: 'Common mistakes: an array of components, a string that contains JSON (encoded twice), NaN, a trailing comma, or extra text around the object.',
  },
]
