import type { HandshakeFault } from '../verify.ts'
import type { AnswerRule, TransportReason } from './answer.ts'

const FORMS =
  'The endpoint must answer with HTTP 200: `application/json` and an object with one field `code`, or `text/plain` and the code.'

/** What one answer to a handshake can get wrong. @see docs/checks/README.md#handshake */
export const handshakeRules: ReadonlyArray<AnswerRule<Exclude<HandshakeFault, TransportReason>>> = [
  {
    id: 'handshake-status',
    group: 'handshake',
    level: 'MUST',
    reasons: ['status'],
    title: 'The handshake is answered with 200',
    contract: {
      says: 'The endpoint must answer with HTTP 200.',
      anchor: 'handshake',
      basis: 'words',
    },
    fix: 'Answer 200. If the endpoint wants a secret, give it with -H; if it is elsewhere, correct the address.',
    why: 'Not 201, 202 or 204, and no error. 401 and 403 mean that the endpoint wants a header which was not given.',
  },
  {
    id: 'handshake-content-type',
    group: 'handshake',
    level: 'MUST',
    reasons: ['content_type'],
    title: 'The handshake says application/json or text/plain',
    contract: { says: FORMS, anchor: 'handshake', basis: 'words' },
    fix: 'Set Content-Type to application/json for the object, or to text/plain for the bare code.',
    why: 'Parameters such as charset and the case of the letters do not matter. HTML, which many frameworks send by default, is neither form, and lets anyone put markup into your page through the code.',
  },
  {
    id: 'handshake-utf8',
    group: 'handshake',
    level: 'MUST',
    reasons: ['not_utf8', 'byte_order_mark'],
    title: 'The handshake is UTF-8 without a byte order mark',
    contract: {
      says: 'The body is the received code, or JSON that holds it.',
      anchor: 'handshake',
      basis: 'words',
    },
    fix: 'Write the body as UTF-8, and save the source file without a byte order mark.',
    why: 'A byte order mark is three bytes that are not part of the code, and JSON forbids it (RFC 8259, section 8.1).',
  },
  {
    id: 'handshake-form',
    group: 'handshake',
    level: 'MUST',
    reasons: ['json_as_text', 'text_as_json'],
    title: 'The body is of the form that its Content-Type says',
    contract: { says: FORMS, anchor: 'handshake', basis: 'words' },
    fix: 'Send the object as application/json, or the bare code as text/plain.',
    why: 'Each form has its own type. The object as text/plain is read as a code that begins with a brace.',
  },
  {
    id: 'handshake-json',
    group: 'handshake',
    level: 'MUST',
    reasons: ['not_json', 'not_an_object', 'code_missing', 'code_not_a_string'],
    title: 'The JSON form is an object with the code as a string',
    contract: {
      says: '`application/json`: the body is a JSON object with one field `code` holding the received code.',
      anchor: 'handshake',
      basis: 'words',
    },
    fix: 'Answer {"code": "<the code>"}, made by a JSON library.',
    why: 'A code that looks like a number is still a string: turned into a number it loses its zeros and its last digits. A code put between quotes by hand breaks on the first code that holds one.',
  },
  {
    id: 'handshake-fields',
    group: 'handshake',
    level: 'MUST',
    reasons: ['extra_fields'],
    title: 'The JSON form has the one field code',
    contract: {
      says: 'The body is a JSON object with one field `code`.',
      anchor: 'handshake',
      basis: 'words',
    },
    fix: 'Leave everything but code out of the object.',
    why: 'The contract says one field. A status or a message beside it is not asked for.',
  },
  {
    id: 'handshake-text',
    group: 'handshake',
    level: 'MUST',
    reasons: ['white_space', 'quotes'],
    title: 'The text form is the code and nothing else',
    contract: {
      says: '`text/plain`: the body is the received code.',
      anchor: 'handshake',
      basis: 'words',
    },
    fix: 'Write the code without a line end and without quotation marks.',
    why: '`print`, `echo` and `println` add a line end; a JSON encoder adds quotation marks.',
  },
  {
    id: 'handshake-code',
    group: 'handshake',
    level: 'MUST',
    reasons: ['code_differs'],
    title: 'The answer holds the code that was sent',
    contract: {
      says: '`code`: a unique code generated for each handshake; the answer holds the received code.',
      anchor: 'handshake',
      basis: 'words',
    },
    fix: 'Answer with the value of the query parameter code, decoded once and otherwise unchanged.',
    why: 'A code written into the source, a code in other letters, cut short, or wrapped in something, is not the code that was sent.',
  },
]
