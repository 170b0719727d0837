import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { bin } from '../../helpers/dev-command.ts'

const { NO_COLOR: _no, FORCE_COLOR: _force, ...ENV } = process.env

function explain(env: Record<string, string>) {
  const args = [bin, 'check', '--explain', 'badge-color']
  return spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...ENV, ...env } }).stdout
}

describe('the colors of a pipe', () => {
  test.each([
    ['no variable', {}],
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['NO_COLOR and FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }],
  ])('are absent with %s', (_name, env) => {
    expect(explain(env)).toMatch(/^badge-color /)
  })

  test('are present with FORCE_COLOR, and each is closed', () => {
    const text = explain({ FORCE_COLOR: '1' })
    expect(text).toContain('\u001B[1mbadge-color\u001B[22m  ')
    const count = (codes: readonly string[]) =>
      codes.reduce((sum, code) => sum + text.split(code).length - 1, 0)
    expect(count(['\u001B[1m', '\u001B[2m'])).toBe(count(['\u001B[22m']))
  })
})
