import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { haproxyConfig } from './haproxy-config.ts'

test('the guide shows the configuration that the scale test runs', async () => {
  const guide = new URL('../../docs/guides/scaling.md', import.meta.url)
  const config = haproxyConfig(8080, [8787, 8788, 8789])
  expect(await readFile(guide, 'utf8')).toContain(`\`\`\`text\n${config}\`\`\``)
})
