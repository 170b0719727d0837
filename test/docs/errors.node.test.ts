import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROBLEMS } from '../../src/runtime/app/request/problem.ts'
import { FAILURE_KINDS } from '../../src/runtime/internal/failure-header.ts'
import { root } from '../installed/root.ts'

const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
// The errors of the control interface only reach the workspace, as HTTP responses.
const sources = globSync('src/**/*.ts', {
  cwd: root,
  exclude: ['src/tools/emulator/control/**'],
}).map((path) => readFileSync(join(root, path), 'utf8'))

/** Returns the names in the first column of a section's tables. */
function listed(heading: string): string[] {
  const start = page.indexOf(`\n## ${heading}\n`)
  if (start === -1) throw new Error(`docs/errors.md has no section ${heading}.`)
  const end = page.indexOf('\n## ', start + 1)
  const rows = page
    .slice(start, end === -1 ? undefined : end)
    .matchAll(/^\|(.+?)\|(.*)$(?!\n\| -)/gm)
  return [...rows].flatMap(([, first = '', second = '']) => {
    const cell = /^\s*\d{3}\s*$/.test(first) ? second.split('|')[0] : first
    return [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  })
}

function found(pattern: RegExp): string[] {
  const names = sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name))
  return [...new Set(names)].toSorted()
}

const unique = (names: readonly string[]) => [...new Set(names)].toSorted()

test('every code of a thrown error is listed, and no other', () => {
  const thrown = found(
    /(?:(?:SidecardError|ClientError|createError|DesignedCardError)\(|super\()\s*(?:code === 'EADDRINUSE' \? )?'([a-z_]+)'/g,
  )
  // In the code that throws it, each name is an argument or a field.
  const passedOn =
    'ambiguous invalid_payload invalid_response network_error not_found payload_too_large redirect response_too_large timeout'
  expect(unique(listed('Error codes'))).toEqual(unique([...thrown, ...passedOn.split(' ')]))
})

test('every kind of failure is listed, and no other', () => {
  expect(unique(listed('Failures'))).toEqual(unique(FAILURE_KINDS))
})

test('every problem response is listed, and no other', () => {
  const ofServe = ['bad_request', 'headers_too_large', 'request_timeout']
  expect(unique(listed('HTTP errors'))).toEqual(unique([...Object.keys(PROBLEMS), ...ofServe]))
})

test('every cache warning is listed, and no other', () => {
  expect(unique(listed('Cache warnings'))).toEqual(found(/\bwarnOfCache\(\s*'([a-z_]+)'/g))
})

test('every log line is listed, and no other', () => {
  const lines = found(/(?:msg: |#warn\(|\blog\.\w+\()'(sidecard[^']+)'/g)
  expect(unique(listed('Log lines'))).toEqual(lines)
})
