import { describe, expect, test } from 'vitest'
import { badge, button, card, dateTime, link, payload, text } from 'sidecard'
import { catchInvalid } from '../../helpers/catch-invalid.ts'

const url = 'https://example.com/a'

describe('an own __proto__ of parsed JSON', () => {
  const proto = '"__proto__":{"icon_url":"https://example.com/","polluted":1}'
  const parse = (fields: string) => JSON.parse(`{${fields},${proto}}`) as never
  test.each<[string, () => unknown, string]>([
    ['text', () => text(parse('"label":"","value":""')), '__proto__'],
    ['dateTime', () => dateTime(parse('"label":"","value":"2026-11-21T09:30:00Z"')), '__proto__'],
    ['button', () => button(parse('"label":"","url":"https://example.com/"')), '__proto__'],
    ['link', () => link(parse('"label":"","url":"https://example.com/"')), '__proto__'],
    ['badge', () => badge(parse('"label":"","items":[]')), '__proto__'],
    [
      'a badge item',
      () => badge({ label: '', items: [parse('"value":"","color":"red"')] }),
      'items[0].__proto__',
    ],
    ['card', () => card(parse('"components":[]')), '__proto__'],
    ['a header', () => card({ header: parse('"title":""'), components: [] }), 'header.__proto__'],
    ['payload', () => payload(parse('"header":{"title":""},"components":[]')), '__proto__'],
  ])('is an unknown field of %s', (_, call, path) => {
    expect(catchInvalid(call).issues).toMatchObject([{ path, code: 'unknown_field' }])
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

test('a builder reads each field once', () => {
  const reads: PropertyKey[] = []
  const spied = (fields: object) =>
    new Proxy(fields, {
      get(target, name) {
        reads.push(name)
        return Reflect.get(target, name) as unknown
      },
    }) as never
  expect(text(spied({ label: 'a', value: 'b', icon_url: url }))).toStrictEqual({
    type: 'text',
    label: 'a',
    value: 'b',
    icon_url: url,
  })
  badge(spied({ label: 'a', items: [spied({ value: 'b', color: 'red' })] }))
  expect(reads).toEqual(['label', 'value', 'icon_url', 'label', 'items', 'value', 'color'])
})

test('fields that change between two reads are one issue', () => {
  let reads = 0
  const fields = {
    label: '',
    get value() {
      return reads++ === 0 ? 7 : 'seven'
    },
  }
  expect(catchInvalid(() => text(fields as never)).issues).toMatchObject([
    { path: '', code: 'unreadable' },
  ])
})
