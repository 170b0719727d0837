import type { HandshakeFailureReason } from '../responses/validate-handshake.ts'
import type { ResponseRule, TransportReason } from './transport.ts'
import { inGroup, must } from '../response-rule.ts'

const FORMS =
  'The response must be HTTP 200: `application/json` and an object with one field `code`, or `text/plain` and the code.'

/** The rules about one response to a handshake. @see docs/checks/handshake.md */
export const handshakeRules = inGroup<
  ResponseRule<Exclude<HandshakeFailureReason, TransportReason>>
>('handshake', [
  {
    id: 'handshake-status',
    reasons: ['status'],
    title: 'The handshake returns HTTP 200',
    ...must('handshake', 'The response must be HTTP 200.'),
    fix: 'Return 200 to GET requests with request_type=verify. If the URL is wrong, correct its path: some servers require or forbid a trailing slash.',
    why: 'Only 200 is valid, not 201, 202 or 204. 401 and 403 mean that a required header is missing or wrong, or that the endpoint has no secret yet. 404 and 405 mean that it is not at this URL, or does not accept GET. 400 often means that it does not read the query.',
  },
  {
    id: 'handshake-content-type',
    reasons: ['content_type'],
    title: 'The handshake uses application/json or text/plain',
    ...must('handshake', FORMS),
    fix: 'Set Content-Type to application/json for the JSON object, or to text/plain for the bare code.',
    why: 'Charset parameters and letter case do not matter. text/html, the default of many frameworks, is not allowed: it lets anyone inject markup through the code.',
  },
  {
    id: 'handshake-utf8',
    reasons: ['not_utf8', 'byte_order_mark'],
    title: 'The handshake body is UTF-8 without a byte order mark',
    ...must('handshake', 'The body is the received code, or JSON that contains it.'),
    fix: 'Write the body as UTF-8 without a byte order mark. Check that the source file has none.',
    why: 'A byte order mark adds three bytes that are not part of the code, and JSON forbids it (RFC 8259, section 8.1).',
  },
  {
    id: 'handshake-form',
    reasons: ['json_as_text', 'text_as_json'],
    title: 'The handshake body matches its Content-Type',
    ...must('handshake', FORMS),
    fix: 'Send the JSON object as application/json, or the bare code as text/plain.',
    why: 'A JSON object sent as text/plain is read as the code itself.',
  },
  {
    id: 'handshake-json',
    reasons: ['not_json', 'not_an_object', 'code_missing', 'code_not_a_string'],
    title: 'The JSON response is an object with a string code',
    ...must(
      'handshake',
      '`application/json`: the body is a JSON object with one field `code` holding the received code.',
    ),
    fix: 'Return {"code": "<the code>"}, serialized with a JSON library.',
    why: 'A code that looks like a number is still a string: as a number, it loses leading zeros and precision. Hand-built JSON breaks on a code that contains a quotation mark. If the code is missing, the handshake may have got the payload.',
  },
  {
    id: 'handshake-fields',
    reasons: ['extra_fields'],
    title: 'The JSON response has no field other than code',
    ...must('handshake', 'The body is a JSON object with one field `code`.'),
    fix: 'Remove all other fields.',
    why: 'The contract allows exactly one field. Do not add a status or a message.',
  },
  {
    id: 'handshake-text',
    reasons: ['white_space', 'quotes'],
    title: 'The text response is exactly the code',
    ...must('handshake', '`text/plain`: the body is the received code.'),
    fix: 'Write the code without a trailing newline and without quotation marks.',
    why: '`print`, `echo` and `println` append a newline; JSON encoders add quotation marks.',
  },
  {
    id: 'handshake-code',
    reasons: ['code_differs'],
    title: 'The response contains the code that was sent',
    ...must(
      'handshake',
      '`code`: a unique code generated for each handshake. The response contains the received code.',
    ),
    fix: 'Return the code query parameter, decoded once and otherwise unchanged.',
    why: 'Common mistakes: a hard-coded code, changed letter case, a truncated code, extra text around it, or a cached response.',
  },
])
