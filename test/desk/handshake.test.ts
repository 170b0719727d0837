import { describe, expect, it } from 'vitest'
import { createCaller } from 'sidecard/testing'

const CODE = 'c0de-7'

async function handshake(body: BodyInit | null, type: string | null, status = 200) {
  const headers: Record<string, string> = type === null ? {} : { 'content-type': type }
  const target = { fetch: () => new Response(body, { status, headers }) }
  return createCaller({ target }).verify(CODE)
}

const bytes = (text: string) => new TextEncoder().encode(text)

describe('a handshake that the contract accepts', () => {
  it.each([
    ['the object', `{"code":"${CODE}"}`, 'application/json', 'json'],
    ['the object with white space', `\n { "code" : "${CODE}" }\n`, 'application/json', 'json'],
    ['the code written with escapes', '{"c\\u006fde":"c0de\\u002d7"}', 'application/json', 'json'],
    ['other letters', `{"code":"${CODE}"}`, 'Application/JSON;charset=UTF-8', 'json'],
    ['parameters and space', `{"code":"${CODE}"}`, 'application/json ; x=y', 'json'],
    ['the bare code', CODE, 'text/plain', 'text'],
    ['the bare code with a charset', CODE, 'TEXT/Plain; charset=us-ascii', 'text'],
  ])('%s', async (_name, body, type, form) => {
    expect(await handshake(bytes(body), type)).toMatchObject({ ok: true, form })
  })
})

describe('a handshake that the contract refuses', () => {
  it.each([
    ['another status', `{"code":"${CODE}"}`, 'application/json', 201, 'status'],
    ['an error', 'no', 'text/plain', 401, 'status'],
    ['a redirect', '', 'text/plain', 302, 'redirect'],
    ['HTML', CODE, 'text/html', 200, 'content_type'],
    ['another kind of JSON', `{"code":"${CODE}"}`, 'application/problem+json', 200, 'content_type'],
    ['no type', `{"code":"${CODE}"}`, null, 200, 'content_type'],
    ['two types', CODE, 'text/plain, text/plain', 200, 'content_type'],
    ['a byte order mark', `\uFEFF${CODE}`, 'text/plain', 200, 'byte_order_mark'],
    [
      'a byte order mark in JSON',
      `\uFEFF{"code":"${CODE}"}`,
      'application/json',
      200,
      'byte_order_mark',
    ],
    ['a line end', `${CODE}\n`, 'text/plain', 200, 'white_space'],
    ['a leading space', ` ${CODE}`, 'text/plain', 200, 'white_space'],
    ['quotation marks', `"${CODE}"`, 'text/plain', 200, 'quotes'],
    ['the object as text', `{"code":"${CODE}"}`, 'text/plain', 200, 'json_as_text'],
    ['the code as JSON', CODE, 'application/json', 200, 'text_as_json'],
    ['broken JSON', `{"code":"${CODE}"`, 'application/json', 200, 'not_json'],
    ['nothing', '', 'application/json', 200, 'not_json'],
    ['a string', `"${CODE}"`, 'application/json', 200, 'not_an_object'],
    ['an array', `["${CODE}"]`, 'application/json', 200, 'not_an_object'],
    ['null', 'null', 'application/json', 200, 'not_an_object'],
    ['a nested code', `{"data":{"code":"${CODE}"}}`, 'application/json', 200, 'code_missing'],
    ['a number', '{"code":7}', 'application/json', 200, 'code_not_a_string'],
    ['another field', `{"code":"${CODE}","ok":true}`, 'application/json', 200, 'extra_fields'],
    ['another code', '{"code":"x"}', 'application/json', 200, 'code_differs'],
    ['other letters', CODE.toUpperCase(), 'text/plain', 200, 'code_differs'],
    ['an empty text', '', 'text/plain', 200, 'code_differs'],
  ])('%s', async (_name, body, type, status, reason) => {
    const result = await handshake(bytes(body), type, status)
    expect(result).toMatchObject({ ok: false, reason })
    expect(result).toHaveProperty('remedy', expect.stringMatching(/\S/))
    expect(result).toHaveProperty('findings.length', 1)
  })

  it('bytes that are not UTF-8', async () => {
    const result = await handshake(new Uint8Array([0x63, 0xff]), 'text/plain')
    expect(result).toMatchObject({ ok: false, reason: 'not_utf8' })
  })

  it('says what it found without control characters or the values of custom headers', async () => {
    const target = {
      fetch: (request: Request) =>
        new Response(`\u001B[31m${request.headers.get('x-key')}\u202E`, {
          headers: { 'content-type': 'text/plain' },
        }),
    }
    const result = await createCaller({ target, headers: { 'x-key': 's3cret-value' } }).verify(CODE)
    expect(result).toMatchObject({
      ok: false,
      message: 'the answer holds "\\u001b[31m[hidden]\\u202e", which is not the code that was sent',
    })
  })
})
