import { expect, test } from 'vitest'
import { cli } from '../../helpers/cli.ts'

const URL = 'http://127.0.0.1:1/'
const MILLISECONDS = 'an integer from 1 to 2147483647 (milliseconds)'
const PORT = 'an integer from 0 to 65535'

const NO_NUMBER = ['1.5', 'abc', '5s', '', ' 5', '-1', '+5', '1e3', '0x10', 'NaN', 'Infinity', '٥']
const TOO_LONG = '9'.repeat(400)

test.each<[command: string, flag: string, expected: string, more?: readonly string[]]>([
  ['check', '--timeout', MILLISECONDS, ['0', '2147483648']],
  ['record', '--timeout', MILLISECONDS, ['0']],
  ['render', '--timeout', MILLISECONDS, ['0']],
  ['check', '--max-p95', MILLISECONDS, ['0']],
  ['check', '--max-wait', 'an integer from 0 to 600000 (milliseconds)', ['600001']],
  ['check', '--samples', 'an integer from 1 to 50', ['0', '51']],
  ['check', '--latency-samples', 'an integer from 0 to 1000', ['1001']],
  ['render', '--width', 'an integer from 20 to 1000', ['19', '1001']],
  ['dev', '--port', PORT, ['65536']],
  ['dev', '--tunnel-port', PORT, ['65536']],
])('sidecard %s %s must be a number in its range', async (command, flag, expected, more = []) => {
  for (const value of [...NO_NUMBER, TOO_LONG, ...more]) {
    const out = command === 'record' ? ['--output', '-'] : []
    // oxlint-disable-next-line no-await-in-loop -- the first failure is enough
    expect(await cli([command, URL, ...out, `${flag}=${value}`])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `sidecard ${command}: ${flag} must be ${expected}.\n`,
    })
  }
})

test.each([
  ['check', '--profile', 'monitor', "'full' or 'production'"],
  ['check', '--only', ' , ', 'one or more rules or groups, such as handshake. Run'],
  ['check', '--skip', '', 'one or more rules or groups, such as handshake. Run'],
  ['render', '--time-zone', 'Mars/Olympus', 'an IANA name, such as Europe/Amsterdam.'],
  ['dev', '--name', ' ', 'a non-empty string.'],
  ['dev', '--url', '', 'a non-empty string.'],
  ['dev', '--database', '', 'a non-empty string.'],
  ['new', '--pm', 'maven', "'npm', 'pnpm', 'yarn' or 'bun'."],
])('sidecard %s %s=%s says what is expected', async (command, flag, value, expected) => {
  const { exitCode, stderr, stdout } = await cli([command, URL, `${flag}=${value}`])
  expect(stderr).toContain(`sidecard ${command}: ${flag} must be ${expected}`)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
})

test.each([
  [
    ['check', URL, '--reporter', 'xml'],
    'there is no reporter "xml". The reporters are human, json,',
  ],
  [['check', URL, '--reporter', 'x'], 'there is no reporter "x". The reporters are human, json,'],
  [['check', URL, '--param', 'acount_id=1'], '--param: there is no ID "acount_id". Did you mean'],
  [['check', URL, '--param', '__proto__=1'], '--param: there is no ID "__proto__". The IDs are'],
  [['new', 'x', '--template', 'worker'], 'there is no template "worker". Did you mean workers?'],
  [['add', 'stripee'], 'there is no recipe "stripee". Did you mean stripe?'],
])('sidecard %j suggests the nearest name', async (args, message) => {
  const { exitCode, stderr } = await cli(args)
  expect(stderr).toContain(`sidecard ${args[0]}: ${message}`)
  expect(exitCode).toBe(2)
})

test('a repeatable option keeps each of its values', async () => {
  const args = ['check', URL, '--only', 'no-rule,handshake', '--only', 'uri']
  expect((await cli(args)).stderr).toContain('Unknown rule or group "no-rule"')
  const ids = ['--param', 'account_id=1', '--param', 'account_id=2']
  const { stderr } = await cli(['render', URL, ...ids])
  expect(stderr).toContain('--param account_id is given twice.')
})
