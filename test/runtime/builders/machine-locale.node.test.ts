import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const SCRIPT = `
const { calendarDate, fields, money } = await import(process.env.MODULE)
const formatNumber = (options) => fields({ N: 1234.5 }, options)[0].value
console.log(JSON.stringify([
  new Intl.NumberFormat().resolvedOptions().locale,
  money(123456, 'USD'), money(123456, 'USD', 'xx'),
  calendarDate('2026-11-21'), calendarDate('2026-11-21', 'xx'),
  formatNumber(), formatNumber({ locale: 'xx' }),
]))
`

test('values are in English on a German machine, even if a locale is unknown', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    env: {
      LC_ALL: 'de_DE.UTF-8',
      MODULE: new URL('../../../src/runtime/builders/index.ts', import.meta.url).href,
    },
    encoding: 'utf8',
  })
  expect(JSON.parse(output)).toEqual([
    'de-DE',
    '$1,234.56',
    '$1,234.56',
    'Nov 21, 2026',
    'Nov 21, 2026',
    '1,234.5',
    '1,234.5',
  ])
})
