import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** What the table of threats says, by row, and the titles of the tests that prove it. */
const PROOFS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'the link': {
    'open the page with a sign-in that `signIn` accepts, until it expires': [
      'a sign-in that %s denies the page and the form, and is in the log',
      'a link expires in the second that it names, and its form ten minutes later',
    ],
    'read or change the input': [
      'a link contains no readable value',
      'a link that is changed at any place, cut or repeated is not valid',
    ],
    'use it for another action or app': [
      'a link of one action does nothing with another action of the same app',
      'a link of %s is not valid',
    ],
  },
  'another website': {
    'open the page in a new tab': ['GET runs nothing, however often and with whatever fields'],
    'send the form': [
      'a form %s runs nothing',
      'another site cannot send the form, frame the page or read its URL',
    ],
    'frame the page': [
      'the page has these headers, with the origins of the sign-in in its policy',
      'another site cannot send the form, frame the page or read its URL',
    ],
    'read it': [
      'the page has these headers, with the origins of the sign-in in its policy',
      'another site cannot read the page that it opens or fetches',
    ],
  },
  "an agent's session": {
    'do what this agent may do, with links that the attacker has': [
      'a button opens a page that runs the action once',
      'authorize that %s forbids the page and the confirmation',
    ],
    'create links': ['an agent’s session does not create links'],
    'confirm a form that another agent opened': [
      'a form with the token of a different link or agent, or without one, runs nothing',
    ],
  },
  'the secret of the header': {
    'read the sidebar of any issue, and get its links': [
      'the secret of the header opens sidebars with links, and no page',
    ],
    'pass the sign-in': ['the secret of the header opens sidebars with links, and no page'],
  },
  'the secret of the actions': {
    'create links with any input': [
      'the secret of the actions makes links with any input, and does not sign in',
    ],
    'pass the sign-in': [
      'the secret of the actions makes links with any input, and does not sign in',
    ],
  },
  'write access to the cache': {
    'show buttons with another input': [
      'an input that was changed in the cache is what the page shows before anything runs',
    ],
    'create a link outside of a response': [
      'a tampered entry of a store outside the process adds no link',
      'a cached section has fresh links with the IDs of the request',
    ],
    'hide who is affected': [
      'an input that was changed in the cache is what the page shows before anything runs',
    ],
  },
  'access to the receipts': {
    'see who did which action': [
      'the receipts say who did which action, and nothing of input, values, sentence and result',
    ],
    'check a guess of its input and values': [
      'buttons whose inputs only differ in the order of properties are one action',
    ],
    'make it count as done, or as not done': [
      'a receipt that was changed is believed, runs nothing by itself, and its agent is only text',
    ],
    'run it': [
      'a receipt that was changed is believed, runs nothing by itself, and its agent is only text',
    ],
    'read the input, the values and the result': [
      'the receipts say who did which action, and nothing of input, values, sentence and result',
      'content of another receipt is not shown',
    ],
  },
}

const [, section = ''] = read('docs/guides/actions.md').split('## Limits and threats\n')
const ROWS = section
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:Who has|-)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, who = '', can = '', cannot = '']) => ({ who, said: [can, cannot] }))

test('the table of threats has the rows that are proved, and no others', () => {
  expect(ROWS.map(({ who }) => who)).toEqual(Object.keys(PROOFS))
})

test.each(ROWS)('every claim about who has $who has a test', ({ who, said }) => {
  const claims = Object.keys(PROOFS[who] ?? {})
  const all = said.join('; ')
  for (const claim of claims) expect(all).toContain(claim)
  // Without the claims, only what joins them is left.
  const rest = claims
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, claim) => text.replace(claim, ''), all)
  expect(rest.replaceAll(/[\s,;]|\bor\b|\band\b/g, '')).toBe('')
})

/** Returns whether a file has a test with this title, which is not skipped. */
function hasTest(source: string, title: string): boolean {
  const literals = [`'${title}'`, `"${title}"`, `\`${title}\``]
  return literals.some((literal) =>
    source.split(literal).some((before, index, all) => {
      const isStart = index < all.length - 1 && /(?:\btest|\]\)|\))\(\s*$/.test(before)
      return isStart && !/\b(?:skip|todo|fails)\b[^;]*$/.test(before.slice(-400))
    }),
  )
}

const SOURCES = globSync('test/{runtime/actions,browser}/**/*.test.ts', { cwd: root }).map(read)

test('every test that proves a claim exists', () => {
  const titles = new Set(Object.values(PROOFS).flatMap((claims) => Object.values(claims).flat()))
  const missing = [...titles].filter((title) => !SOURCES.some((one) => hasTest(one, title)))
  expect(missing).toEqual([])
})
