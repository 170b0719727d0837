import { expect, test } from 'vitest'
import { encodePayload } from '../../../src/runtime/contract/encode.ts'

const header = { title: 'Billing' }
const divider = { type: 'divider' }
const card = { type: 'card', components: [divider, divider] }

test('writes the fields in the order of the tables and counts cards and their children', () => {
  const payload = { components: [card, divider], header, version: '1.0.0' }
  expect(encodePayload(payload)).toEqual({
    ok: true,
    json: '{"version":"1.0.0","header":{"title":"Billing"},"components":[{"type":"card","components":[{"type":"divider"},{"type":"divider"}]},{"type":"divider"}]}',
    componentCount: 4,
  })
})

test('omits optional fields that are undefined', () => {
  const text = { type: 'text', label: 'a', value: 'b', icon_url: undefined }
  const bare = { version: '', header: { title: undefined, icon_url: undefined } }
  const inCard = { type: 'card', header: undefined, components: [] }
  expect(encodePayload({ ...bare, components: [text, inCard] })).toMatchObject({
    json: '{"version":"","header":{},"components":[{"type":"text","label":"a","value":"b"},{"type":"card","components":[]}]}',
  })
})

test('stops at the first component above a limit', () => {
  const payload = { version: '1.0.0', header, components: [card, divider, divider] }
  expect(encodePayload(payload, { maxComponents: 5 })).toMatchObject({
    ok: true,
    componentCount: 5,
  })
  expect(encodePayload(payload, { maxComponents: 4 })).toMatchObject({
    issues: [{ path: 'components[2]', code: 'too_many_components' }],
  })
  expect(encodePayload(payload, { maxComponents: 2 })).toMatchObject({
    issues: [{ path: 'components[0].components[1]', code: 'too_many_components' }],
  })
})

test.each([
  ['short', (text: string) => text],
  ['long', (text: string) => text.padEnd(200, 'x')],
])(
  'writes %s strings as JSON.stringify does',
  (_, grow) => {
    const units = [...Array(0x10000).keys()].map((unit) => String.fromCharCode(unit))
    const wrong = units.filter((unit) => {
      const version = grow(`a${unit}b`)
      const encoded = encodePayload({ version, header, components: [] })
      return !encoded.ok || !encoded.json.startsWith(`{"version":${JSON.stringify(version)},`)
    })
    expect(wrong).toEqual([])
  },
  30_000,
)
