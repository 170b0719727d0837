import { describe, expect, it } from 'vitest'
import { createEndpointClient } from '../../../src/tools/service/endpoint-client.ts'

const CODE = 'c0de-7'

async function handshake(body: BodyInit | null, type: string | null, status = 200) {
  const headers: Record<string, string> = type === null ? {} : { 'content-type': type }
  const target = { fetch: () => new Response(body, { status, headers }) }
  return createEndpointClient({ target }).handshake(CODE)
}

const bytes = (text: string) => new TextEncoder().encode(text)

describe('a handshake that the contract accepts', () => {
  it.each([
    ['the object', `{"code":"${CODE}"}`, 'application/json', 'json'],
    ['the object with whitespace', `\n { "code" : "${CODE}" }\n`, 'application/json', 'json'],
    ['the code written with escapes', '{"c\\u006fde":"c0de\\u002d7"}', 'application/json', 'json'],
    ['other letters', `{"code":"${CODE}"}`, 'Application/JSON;charset=UTF-8', 'json'],
    ['parameters and space', `{"code":"${CODE}"}`, 'application/json ; x=y', 'json'],
    ['the bare code', CODE, 'text/plain', 'text'],
    ['the bare code with a charset', CODE, 'TEXT/Plain; charset=us-ascii', 'text'],
  ])('%s', async (_name, body, type, form) => {
    expect(await handshake(bytes(body), type)).toMatchObject({ ok: true, form })
  })
})

const JSON_TYPE = 'application/json'
const RETURN_CODE = 'Return {"code": "<the code>"}, serialized with a JSON library.'
const BARE = 'Write the code without a trailing newline and without quotation marks.'
const DECODED = 'Return the code query parameter, decoded once and otherwise unchanged.'
const FORM = 'Send the JSON object as application/json, or the bare code as text/plain.'
const TYPE =
  'Set Content-Type to application/json for the JSON object, or to text/plain for the bare code.'
const BOM =
  'Write the body as UTF-8 without a byte order mark. Check that the source file has none.'
const STATUS =
  'Return 200 to GET requests with request_type=verify. If the URL is wrong, correct its path: some servers require or forbid a trailing slash.'
const FINAL_URL =
  'Configure the final URL: with https, and with or without a trailing slash as the server expects.'

type Row = [
  name: string,
  body: string,
  type: string | null,
  status: number,
  reason: string,
  message: string,
  fix: string,
]

describe('a handshake that violates the contract', () => {
  it.each<Row>([
    [
      'another status',
      `{"code":"${CODE}"}`,
      JSON_TYPE,
      201,
      'status',
      'returned 201, expected 200',
      STATUS,
    ],
    [
      'an error',
      'no',
      'text/plain',
      401,
      'status',
      'returned 401: a required header is missing or wrong',
      'Send the custom header that the endpoint requires, such as x-sidecard-secret.',
    ],
    [
      'a redirect',
      '',
      'text/plain',
      302,
      'redirect',
      'returned 302 (redirect); the service only calls the configured URL',
      FINAL_URL,
    ],
    ['HTML', CODE, 'text/html', 200, 'content_type', 'the Content-Type is "text/html"', TYPE],
    [
      'another kind of JSON',
      `{"code":"${CODE}"}`,
      'application/problem+json',
      200,
      'content_type',
      'the Content-Type is "application/problem+json"',
      TYPE,
    ],
    [
      'no type',
      `{"code":"${CODE}"}`,
      null,
      200,
      'content_type',
      'the Content-Type is missing',
      TYPE,
    ],
    [
      'two types',
      CODE,
      'text/plain, text/plain',
      200,
      'content_type',
      'the Content-Type is "text/plain, text/plain"',
      TYPE,
    ],
    [
      'a byte order mark',
      `\uFEFF${CODE}`,
      'text/plain',
      200,
      'byte_order_mark',
      'the body starts with a byte order mark',
      BOM,
    ],
    [
      'a byte order mark in JSON',
      `\uFEFF{"code":"${CODE}"}`,
      JSON_TYPE,
      200,
      'byte_order_mark',
      'the body starts with a byte order mark',
      BOM,
    ],
    [
      'a line end',
      `${CODE}\n`,
      'text/plain',
      200,
      'white_space',
      'the code is surrounded by whitespace or newlines',
      BARE,
    ],
    [
      'a leading space',
      ` ${CODE}`,
      'text/plain',
      200,
      'white_space',
      'the code is surrounded by whitespace or newlines',
      BARE,
    ],
    [
      'quotation marks',
      `"${CODE}"`,
      'text/plain',
      200,
      'quotes',
      'the code is wrapped in quotation marks',
      BARE,
    ],
    [
      'single quotation marks',
      `'${CODE}'`,
      'text/plain',
      200,
      'quotes',
      'the code is wrapped in quotation marks',
      BARE,
    ],
    [
      'brackets',
      `(${CODE})`,
      'text/plain',
      200,
      'code_differs',
      `the response contains "(${CODE})" instead of the code that was sent`,
      DECODED,
    ],
    [
      'the object as text',
      `{"code":"${CODE}"}`,
      'text/plain',
      200,
      'json_as_text',
      'the body is JSON, but the Content-Type is text/plain',
      FORM,
    ],
    [
      'another object as text',
      '{"a":1}',
      'text/plain',
      200,
      'code_differs',
      'the response contains "{"a":1}" instead of the code that was sent',
      DECODED,
    ],
    [
      'the code as JSON',
      CODE,
      JSON_TYPE,
      200,
      'text_as_json',
      'the body is the bare code, but the Content-Type is JSON',
      FORM,
    ],
    [
      'broken JSON',
      `{"code":"${CODE}"`,
      JSON_TYPE,
      200,
      'not_json',
      `the body is not JSON (close brace expected at line 1, column 17): "{"code":"${CODE}""`,
      RETURN_CODE,
    ],
    ['nothing', '', JSON_TYPE, 200, 'not_json', 'the body is empty', RETURN_CODE],
    [
      'a string',
      `"${CODE}"`,
      JSON_TYPE,
      200,
      'not_an_object',
      'the body is a string, expected an object',
      RETURN_CODE,
    ],
    [
      'an array',
      `["${CODE}"]`,
      JSON_TYPE,
      200,
      'not_an_object',
      'the body is an array, expected an object',
      RETURN_CODE,
    ],
    [
      'null',
      'null',
      JSON_TYPE,
      200,
      'not_an_object',
      'the body is null, expected an object',
      RETURN_CODE,
    ],
    [
      'an empty object',
      '{}',
      JSON_TYPE,
      200,
      'code_missing',
      'the object has no field code (it is empty)',
      RETURN_CODE,
    ],
    [
      'a nested code',
      `{"data":{"code":"${CODE}"},"b":1}`,
      JSON_TYPE,
      200,
      'code_missing',
      'the object has no field code (fields: data, b)',
      RETURN_CODE,
    ],
    [
      'a number',
      '{"code":7}',
      JSON_TYPE,
      200,
      'code_not_a_string',
      'the field code is a number, expected a string',
      RETURN_CODE,
    ],
    [
      'other fields',
      `{"code":"${CODE}","ok":true,"status":1}`,
      JSON_TYPE,
      200,
      'extra_fields',
      'the object has extra fields: ok, status',
      'Remove all other fields.',
    ],
    [
      'seven fields',
      `{"code":"${CODE}","a":1,"b":1,"c":1,"d":1,"e":1,"f":1}`,
      JSON_TYPE,
      200,
      'extra_fields',
      'the object has extra fields: a, b, c, d, e',
      'Remove all other fields.',
    ],
    [
      'another code',
      '{"code":"x"}',
      JSON_TYPE,
      200,
      'code_differs',
      'the response contains "x" instead of the code that was sent',
      DECODED,
    ],
    [
      'other letters',
      CODE.toUpperCase(),
      'text/plain',
      200,
      'code_differs',
      'the response contains "C0DE-7" instead of the code that was sent',
      DECODED,
    ],
    [
      'an empty text',
      '',
      'text/plain',
      200,
      'code_differs',
      'the response contains "" instead of the code that was sent',
      DECODED,
    ],
  ])('%s', async (_name, body, type, status, reason, message, fix) => {
    const result = await handshake(bytes(body), type, status)
    expect(result).toMatchObject({ ok: false, reason, message, fix })
    expect(result).toHaveProperty('findings.length', 1)
  })

  it('bytes that are not UTF-8', async () => {
    const result = await handshake(new Uint8Array([0x63, 0xff]), 'text/plain')
    const message = 'the body is not valid UTF-8'
    expect(result).toMatchObject({ ok: false, reason: 'not_utf8', message, fix: BOM })
  })

  it('describes the response without control characters and secrets', async () => {
    const target = {
      fetch: (request: Request) =>
        new Response(`\u001B[31m${request.headers.get('x-key')}\u202E`, {
          headers: { 'content-type': 'text/plain' },
        }),
    }
    const result = await createEndpointClient({
      target,
      headers: { 'x-key': 's3cret-value' },
    }).handshake(CODE)
    expect(result).toMatchObject({
      ok: false,
      message:
        'the response contains "\\u001b[31m[hidden]\\u202e" instead of the code that was sent',
    })
  })
})
