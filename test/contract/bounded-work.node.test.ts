import { describe, expect, test } from 'vitest'
import { MAX_ISSUES, validatePayload } from 'sidecard/schema'

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
    const verdict = validatePayload({ version: '1.0.0', header, components })
    expect(!verdict.ok && verdict.issues).toHaveLength(MAX_ISSUES)
  })

  test('a proxy with endless good components ends at a cap', () => {
    const get = (target: unknown[], key: PropertyKey) =>
      key === 'length' ? 2 ** 32 - 1 : Reflect.get(Object.assign(target, { 0: divider }), 0)
    const components = new Proxy<unknown[]>([], { get })
    const verdict = validatePayload({ version: '1.0.0', header, components })
    expect(verdict).toMatchObject({
      issues: [{ path: 'components[1000000]', code: 'too_many_components' }],
    })
  })

  test('a proxy with endless good items ends at a cap', () => {
    const item = { value: '', color: 'red' }
    const items = new Proxy([item], { get: (_, key) => (key === 'length' ? 2 ** 32 - 1 : item) })
    const verdict = validatePayload(inPayload({ type: 'badge', label: '', items }))
    expect(verdict).toMatchObject({ issues: [{ code: 'too_many_components' }] })
  })

  test.each([
    ['a letter', 'a'],
    ['an escape', '%41'],
    ['a slash', '/'],
    ['a colon', ':'],
    ['a broken escape', '%4'],
    ['a bracket', '['],
  ])('a URL with five million times %s is judged', (_, part) => {
    const starts = ['https://example.com/', 'https://', 'https://[', 'https://[v1.', '']
    for (const start of starts) {
      const url = start + part.repeat(5_000_000)
      const verdict = validatePayload(inPayload({ type: 'link', label: '', url }))
      const paths = verdict.ok ? [] : verdict.issues.map((issue) => issue.path)
      expect([[], ['components[0].url']]).toContainEqual(paths)
    }
  })
})
