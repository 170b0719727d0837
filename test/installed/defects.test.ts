import { describe, expect, onTestFinished, test } from 'vitest'
import { draw } from '../helpers/draw.ts'
import { openPage } from './follow-page.ts'
import { readMarks } from './marks.ts'
import type { MarkedBlock } from './pages.ts'
import { parseBlocks } from './parse-blocks.ts'
import { paste, programsFor } from './paste.ts'
import { hasRegistry, openPlace, restoreProject, takeTurns } from './project.ts'
import { isApp, openApps, runPrinting, typeCheck } from './run-programs.ts'

takeTurns()

/** Returns the only block of a page. */
function pageOf(marks: string, code: string): MarkedBlock {
  const [block] = parseBlocks('defect.md', `# A page\n\n\`\`\`${marks}\n${code}\n\`\`\`\n`)
  if (block === undefined) throw new Error('The page has no block.')
  return { block, marks: readMarks(block) }
}

const CHECK = "npx sidecard check http://127.0.0.1:8787 -H 'x-sidecard-secret: env:SIDECARD_SECRET'"

/** Each follows the documentation in one respect only: it has exactly one defect. */
const SHELL: readonly (readonly [defect: string, marks: string, code: string, error: RegExp])[] = [
  [
    'a command that a project does not have',
    'sh in=node',
    'sidecard check --list',
    /contains "command not found"/,
  ],
  ['a file that does not exist', 'sh in=node', 'cat src/main.ts', /contains "No such file"/],
  [
    'a wrong secret',
    'sh in=node',
    `SIDECARD_SECRET=wrong ${CHECK} --param account_id=acc_northwind`,
    /contains "returned 401"/,
  ],
  [
    'a check without customer data, even if the page expects its exit code',
    'sh in=node exit=1',
    'npx sidecard check http://127.0.0.1:9 --param account_id=acc_nobody',
    /does not match .*conforms/,
  ],
  [
    'a server that does not connect',
    'sh in=node',
    "npx sidecard dev --once --command 'node src/server.ts'",
    /does not match .*connected/,
  ],
  ['a failing command before the last one', 'sh in=node', 'false\ntrue', /The exit code is 1/],
  [
    'a text that is not printed',
    'sh in=node shows="42 rules"',
    'npx sidecard check --list',
    /does not contain "42 rules"/,
  ],
  ['no place', 'sh', 'npm test', /Say where it runs/],
]

test.skipIf(!hasRegistry).each(draw(SHELL, 3))(
  'a shell block with %s is reported',
  async (_defect, marks, code, error) => {
    const block = pageOf(marks, code)
    const page = openPage([block])
    onTestFinished(page.close)
    await expect(page.follow(block)).rejects.toThrow(error)
  },
)

test.each(['sh in=nowhere', 'sh not-run', 'sh run=node', 'sh exit=none'])(
  'the marks "%s" are reported',
  (marks) => {
    expect(() => pageOf(marks, 'npm test')).toThrow(/defect\.md, line 3: unknown mark/)
  },
)

describe.skipIf(!hasRegistry)('a program', () => {
  const app = (components: string, secret = 'SIDECARD_SECRET') => `
import { secretHeader, sidecard, text } from 'sidecard'

export default sidecard({
  header: { title: 'Billing' },
  auth: secretHeader('x-sidecard-secret', { binding: '${secret}' }),
  fetchData: () => [${components}],
})`
  const right = app("text({ label: 'Plan', value: 'Business' })")

  const PROGRAMS: readonly (readonly [
    defect: string,
    marks: string,
    code: string,
    error: RegExp,
  ])[] = [
    ['with a type error', 'ts in=node', `const seats: number = 'three'`, /TS2322/],
    ['with an unknown import', 'ts in=node', `import { sidebar } from 'sidecard'`, /TS2305/],
    ['with a package that is not installed', 'ts in=node', `import 'left-pad'`, /TS(?:2307|2882)/],
    ['that prints another value', 'ts in=node shows="42"', 'console.log(41)', /contain "42"/],
    ['that throws', 'ts in=node shows="42"', `throw new Error('no')`, /Error: no/],
    [
      'that renders a failure',
      'ts in=node',
      right.replace("'Business'", "''.at(1)!"),
      /instead of rendered/,
    ],
    [
      'whose secret is missing',
      'ts in=node',
      right.replace("SECRET'", "KEY'"),
      /instead of rendered|401/,
    ],
    [
      'with another outcome than its page says',
      'ts in=node outcome=not_found',
      right,
      /rendered instead of not_found/,
    ],
  ]

  test.each(draw(PROGRAMS, 3))('%s is reported', async (_defect, marks, code, error) => {
    const project = await openPlace('node')
    onTestFinished(() => restoreProject(project))
    const [program] = paste(project, programsFor('node', [pageOf(marks, code)]))
    if (program === undefined) throw new Error('It was not pasted.')
    await expect(follow(project, program)).rejects.toThrow(error)
  })

  test('without a defect is not', async () => {
    const project = await openPlace('node')
    onTestFinished(() => restoreProject(project))
    const [program] = paste(project, programsFor('node', [pageOf('ts in=node', right)]))
    if (program === undefined) throw new Error('It was not pasted.')
    await expect(follow(project, program)).resolves.toBeUndefined()
  })

  /** What programs.test.ts does with all programs together. */
  async function follow(project: string, program: ReturnType<typeof paste>[number]): Promise<void> {
    await typeCheck(project, [program])
    if (isApp(program)) await openApps(project, [program])
    if (program.marks.shows !== undefined) await runPrinting(project, program)
  }
})
