import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseCustomer } from '../../../src/tools/cli/endpoint-flags.ts'
import { readAppHeaders } from '../../../src/tools/cli/apps/app-headers.ts'

const parseHeaders = (flags: readonly string[], io: { cwd: string; env: Record<string, string> }) =>
  readAppHeaders({ headers: {}, origin: '' }, flags, { folder: io.cwd, env: io.env })

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

test.each<[string, Uint8Array]>([
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFFKEY=wert-ü\r\n')],
  ['UTF-16', Buffer.from('\uFEFFKEY=wert-ü\r\n', 'utf16le')],
  ['big-endian UTF-16', Buffer.from('\uFEFFKEY=wert-ü\r\n', 'utf16le').swap16()],
])('the file of a Windows editor is read: %s', (_name, bytes) => {
  writeFileSync(join(cwd, '.env'), bytes)
  expect(parseHeaders(['x-key: env:KEY'], { cwd, env: {} })).toEqual({ 'x-key': 'wert-ü' })
})

test('a parameter can be a variable, and the environment takes precedence', () => {
  writeFileSync(join(cwd, '.env'), 'ACCOUNT=acme\nOTHER=globex\n')
  const texts = ['account_id=env:ACCOUNT', 'requester_id=env:OTHER', 'issue_id=my-env:OTHER']
  const flags = texts.map((text) => ({ flag: 'param', text }) as const)
  expect(parseCustomer(flags, { cwd, env: { OTHER: 'initech' } })).toEqual({
    account_id: 'acme',
    requester_id: 'initech',
    issue_id: 'my-env:OTHER',
  })
})

test('a parameter whose variable is missing or empty is invalid usage', () => {
  for (const env of [{}, { ACCOUNT: '' }]) {
    expect(() =>
      parseCustomer([{ flag: 'param', text: 'account_id=env:ACCOUNT' }], { cwd, env }),
    ).toThrow(
      'ACCOUNT, used by --param account_id, is not set in the environment, .env or .dev.vars.',
    )
  }
})
