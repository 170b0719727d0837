import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the import rules of the linter use no lookahead, which it ignores without an error', () => {
  const rules = readFileSync(new URL('../../../.oxlintrc.json', import.meta.url), 'utf8')
  expect(rules).toContain('no-restricted-imports')
  expect(rules).not.toMatch(/\(\?<?[!=]/)
})
