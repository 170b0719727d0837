import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DEFAULT_MESSAGES, type Messages } from '../../src/runtime/app/messages.ts'

const page = readFileSync(new URL('../../docs/guides/app.md', import.meta.url), 'utf8')

/** Calls each text with one argument of its kind. */
function show(messages: Messages) {
  const {
    missingId,
    notFoundReason,
    nothingToSearchBy,
    ambiguousReason,
    moreCandidates,
    ...texts
  } = messages
  return {
    ...texts,
    missingId: missingId('x'),
    notFoundReason: notFoundReason(['x']),
    nothingToSearchBy: nothingToSearchBy(['x']),
    ambiguousReason: ambiguousReason(3, 'x'),
    moreCandidates: moreCandidates(4),
  }
}

test('docs/guides/app.md lists all texts of messages as they are', () => {
  const [, code] = /const messages: Messages = (\{\n[^]*?\n\})\n```/.exec(page) ?? []
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- code of the page
  const listed = new Function(`return ${code}`)() as Messages
  expect(show(listed)).toEqual(show(DEFAULT_MESSAGES))
})
