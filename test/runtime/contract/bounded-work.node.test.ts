import { describe, expect, test } from 'vitest'
import { validatePayload } from 'sidecard/schema'
import { cpuMs } from '../../helpers/cpu-ms.ts'

const header = { title: 'Billing' }
const divider = { type: 'divider' }

function inPayload(...components: unknown[]) {
  return { version: '1.0.0', header, components }
}

describe('bounded work', () => {
  test.each<[string, unknown]>([
    ['an array of 2^32 - 1 holes', Object.assign([], { length: 2 ** 32 - 1 })],
    ['a proxy that claims 2^53 entries', new Proxy([], { get: () => 2 ** 53 })],
    ['a million bad entries', Array.from({ length: 1_000_000 }, () => 0)],
  ])('%s', (_, components) => {
    const result = validatePayload({ version: '1.0.0', header, components })
    expect(!result.ok && result.issues).toHaveLength(20)
  })

  const hugeObject = Object.fromEntries(
    Array.from({ length: 2_000_000 }, (_, index) => [`key${index}`, index]),
  )
  const sparseArray: unknown[] = []
  sparseArray.length = 3_000_000
  sparseArray.push(divider)

  test.each<[string, unknown]>([
    ['an object with two million keys', hugeObject],
    ['a buffer of 50 MB', Buffer.alloc(50_000_000)],
    ['a sparse array of three million', sparseArray],
  ])('%s is rejected in milliseconds', (_, value) => {
    const places: unknown[] = [
      value,
      { version: value, header, components: [] },
      { version: '1.0.0', header, components: [value] },
      { version: '1.0.0', header, components: value },
      inPayload({ type: 'card', components: [value] }),
      inPayload({ type: 'text', label: value, value }),
      inPayload({ type: 'badge', label: '', items: [value] }),
      inPayload({ type: 'badge', label: '', items: value }),
      inPayload({ type: 'link', label: '', url: value }),
      inPayload({ type: 'date_time', label: '', value }),
    ]
    for (const place of places) {
      const start = process.cpuUsage()
      expect(validatePayload(place)).toMatchObject({ ok: false })
      expect(cpuMs(start)).toBeLessThan(500)
    }
  })

  test('a header with two million keys is one issue', () => {
    for (const unknownFields of ['error', 'ignore'] as const) {
      const payload = { version: '1.0.0', header: hugeObject, components: [] }
      expect(validatePayload(payload, { unknownFields })).toMatchObject({
        issues: [{ path: 'header', code: 'unknown_field' }],
        omittedCount: 0,
      })
    }
  }, 30_000)

  test('the cost of an object with thousands of unknown fields is linear', () => {
    const fields = Array.from({ length: 9_000 }, (_, index) => [`labl${index}`, index] as const)
    const text = { type: 'text', label: '', value: '', ...Object.fromEntries(fields) }
    const start = process.cpuUsage()
    expect(validatePayload(inPayload(text))).toMatchObject({
      issues: { length: 20 },
      omittedCount: 8_980,
    })
    expect(cpuMs(start)).toBeLessThan(500)
  })

  test('a proxy with endless valid components ends at the limit', () => {
    const get = (target: unknown[], key: PropertyKey) =>
      key === 'length' ? 2 ** 32 - 1 : Reflect.get(Object.assign(target, { 0: divider }), 0)
    const components = new Proxy<unknown[]>([], { get })
    const result = validatePayload({ version: '1.0.0', header, components })
    expect(result).toMatchObject({
      issues: [{ path: 'components[1000000]', code: 'too_many_components' }],
    })
  })

  test('a proxy with endless valid items ends at the limit', () => {
    const item = { value: '', color: 'red' }
    const items = new Proxy([item], { get: (_, key) => (key === 'length' ? 2 ** 32 - 1 : item) })
    const result = validatePayload(inPayload({ type: 'badge', label: '', items }))
    expect(result).toMatchObject({ issues: [{ code: 'too_many_components' }] })
  })

  test.each([
    ['a letter', 'a'],
    ['an escape', '%41'],
    ['a slash', '/'],
    ['a colon', ':'],
    ['a broken escape', '%4'],
    ['a bracket', '['],
  ])('a URL with five million times %s is validated', (_, part) => {
    const starts = ['https://example.com/', 'https://', 'https://[', 'https://[v1.', '']
    for (const start of starts) {
      const url = start + part.repeat(5_000_000)
      const result = validatePayload(inPayload({ type: 'link', label: '', url }))
      const paths = result.ok ? [] : result.issues.map((issue) => issue.path)
      expect([[], ['components[0].url']]).toContainEqual(paths)
    }
  })
})
