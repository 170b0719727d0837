import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bin } from '../../helpers/dev-command.ts'

test('ends quietly if its reader stops early', () => {
  const command = `"${process.execPath}" "${bin}" check --list | head -n 1`
  const script = `${command}; echo "exit \${PIPESTATUS[0]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  expect([stdout.split('\n').slice(1), stderr]).toEqual([['exit 0', ''], ''])
})

test.runIf(existsSync('/dev/full'))('says so if its output cannot be written', () => {
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, [bin, 'check', '--list'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  })
  closeSync(full)
  expect([status, stderr]).toEqual([1, 'sidecard: The output cannot be written (ENOSPC).\n'])
})
