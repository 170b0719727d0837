import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseHeaders } from '../../src/cli/commands/endpoint-flags.ts'

let cwd = ''
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'sidecard-secrets-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

test.each(['.env', '.dev.vars'])('env:NAME is read from %s of the folder', (file) => {
  writeFileSync(join(cwd, file), '# local\nKEY="from a file"\n')
  expect(parseHeaders(['x-key: env:KEY'], { cwd, env: {} })).toEqual({ 'x-key': 'from a file' })
})

test('the environment takes precedence', () => {
  writeFileSync(join(cwd, '.env'), 'KEY=from-a-file\n')
  const env = { KEY: 'from-the-environment' }
  expect(parseHeaders(['x-key: env:KEY'], { cwd, env })).toEqual({ 'x-key': env.KEY })
})

test('an unknown or empty variable is invalid usage', () => {
  writeFileSync(join(cwd, '.env'), 'EMPTY=\nOTHER=canary\n')
  for (const name of ['KEY', 'EMPTY']) {
    expect(() => parseHeaders([`x-key: env:${name}`], { cwd, env: {} })).toThrow(name)
    expect(() => parseHeaders([`x-key: env:${name}`], { cwd, env: {} })).not.toThrow('canary')
  }
})
