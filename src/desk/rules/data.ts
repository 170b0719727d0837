import type { DataFault } from '../data-answer.ts'
import type { AnswerRule, TransportReason } from './answer.ts'

const SHAPED = 'The endpoint responds with a JSON object shaped as the custom app data payload.'

/** What one answer to a data fetch can get wrong before its payload is looked at. @see docs/checks/README.md#data */
export const dataRules: ReadonlyArray<AnswerRule<Exclude<DataFault, TransportReason>>> = [
  {
    id: 'data-status',
    group: 'data',
    level: 'MUST',
    reasons: ['status'],
    title: 'A data fetch is answered with 200',
    contract: {
      says: `${SHAPED} 200 is the one status that the contract gives to an answer of an endpoint.`,
      anchor: 'data-fetch',
      basis: 'words',
    },
    fix: 'Answer 200 with a payload. Give a secret that the endpoint wants with -H, and ids that it knows with --param.',
    why: 'An unknown customer is an ordinary case in a sidebar: say so in a text component instead of answering 404.',
  },
  {
    id: 'data-content-type',
    group: 'data',
    level: 'MUST',
    reasons: ['content_type'],
    title: 'A data answer does not say that it is something else than JSON',
    contract: { says: SHAPED, anchor: 'data-fetch', basis: 'words' },
    fix: 'Set Content-Type to application/json.',
    why: 'A body that is declared as HTML or plain text is HTML or plain text, whatever it looks like (RFC 9110, section 8.3): and as HTML, what a customer typed runs in the browser of whoever opens the address.',
  },
  {
    id: 'data-utf8',
    group: 'data',
    level: 'MUST',
    reasons: ['not_utf8', 'byte_order_mark'],
    title: 'A data answer is UTF-8 without a byte order mark',
    contract: { says: SHAPED, anchor: 'data-fetch', basis: 'words' },
    fix: 'Write the body as UTF-8, without a byte order mark.',
    why: 'JSON between systems is UTF-8 and has no byte order mark (RFC 8259, section 8.1). Latin-1 shows with the first accent in a name.',
  },
  {
    id: 'data-json',
    group: 'data',
    level: 'MUST',
    reasons: ['not_json', 'not_an_object'],
    title: 'A data answer is a JSON object',
    contract: { says: SHAPED, anchor: 'data-fetch', basis: 'words' },
    fix: 'Answer one JSON object with version, header and components, made by a JSON library.',
    why: 'Not an array of components, not a string that holds JSON (encoded twice), no NaN, no trailing comma, nothing before or after it.',
  },
]
