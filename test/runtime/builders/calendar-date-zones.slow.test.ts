import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Formats each day as text, as local midnight and as UTC midnight. A process has one time zone. */
const SCRIPT = `
const { calendarDate } = await import(process.env.MODULE)
const differences = []
for (let time = Date.UTC(1970, 0, 1); time < Date.UTC(2030, 0, 1); time += 86_400_000) {
  const utc = new Date(time)
  const text = utc.toISOString().slice(0, 10)
  const [year, month, day] = text.split('-').map(Number)
  const expected = calendarDate(text)
  for (const value of [utc, new Date(year, month - 1, day)]) {
    let shown
    try { shown = calendarDate(value) } catch (error) { shown = error.message }
    // Two days do not exist: Samoa and Kiribati moved across the date line.
    if (shown !== expected && new Date(year, month - 1, day).getDate() === day) differences.push(text + ' ' + shown)
  }
}
console.log(JSON.stringify(differences.slice(0, 5)))
`

test.each([
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'America/Los_Angeles',
  // In this zone, clocks skip midnight.
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Asia/Beirut',
  'Atlantic/Azores',
  'America/Havana',
  // The first and last day, and a day that the zone skipped.
  'Pacific/Kiritimati',
  'Pacific/Apia',
  'Pacific/Pago_Pago',
  'Asia/Kathmandu',
  'America/St_Johns',
])('a stored date is never off by a day in %s', (zone) => {
  const module = new URL('../../../src/runtime/builders/values/calendar-date.ts', import.meta.url)
    .href
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    env: { TZ: zone, MODULE: module },
    encoding: 'utf8',
  })
  expect(JSON.parse(output)).toEqual([])
})
