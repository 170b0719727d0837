import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cli } from '../helpers/cli.ts'
import { readBlocks } from '../installed/parse-blocks.ts'
import { root } from '../installed/root.ts'

interface Command {
  readonly place: string
  /** The words after `sidecard`. */
  readonly args: readonly string[]
}

/** Every page with commands, those of projects, recipes and examples included. */
const PAGES = globSync(
  [
    'README.md',
    'CONTRIBUTING.md',
    'docs/*.md',
    'docs/guides/*.md',
    'docs/checks/*.md',
    'templates/*/*.md',
    'recipes/*/*.md',
    'examples/*/*.md',
  ],
  { cwd: root },
)

const shell = PAGES.flatMap((page) => readBlocks(root, page)).filter(
  ({ language }) => language === 'sh',
)

/** Splits a line of a shell block into words. Quotes group words, and `#` starts a comment. */
function toWords(line: string): string[] {
  const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(#.*)|(\S+)/g)]
  const end = words.findIndex(([, , , comment]) => comment !== undefined)
  return words
    .slice(0, end === -1 ? undefined : end)
    .map(([, single, double, , bare]) => single ?? double ?? bare ?? '')
}

const commands: readonly Command[] = shell.flatMap(({ page, line, code }) =>
  code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((text, index): Command[] => {
      const words = toWords(text)
      const start = words.findIndex((word) =>
        /^(sidecard|node sidecard\/dist\/cli\/bin\.js)$/.test(word),
      )
      const isCommand = start === 0 || (start === 1 && words[0] === 'npx')
      if (!isCommand) return []
      return [{ place: `${page}, line ${line + index + 1}: ${text}`, args: words.slice(start + 1) }]
    }),
)

const own = ({ args }: Command) => {
  const end = args.indexOf('--')
  return end === -1 ? args : args.slice(0, end)
}

test('the documentation has commands of every kind', () => {
  const names = new Set(commands.map(({ args }) => args[0]))
  expect([...names]).toEqual(
    expect.arrayContaining(['check', 'dev', 'add', 'render', 'record', 'schema']),
  )
})

test('every documented command and its options exist', async () => {
  const names = [...new Set(commands.map(({ args }) => args[0] ?? ''))]
  const helps = new Map<string, string>()
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, in one process
    const { exitCode, stdout } = await cli([name, '--help'])
    expect([name, exitCode]).toEqual([name, 0])
    helps.set(name, stdout)
  }
  const unknown = commands.flatMap((command) =>
    own(command)
      .filter((word) => /^--?[a-z]/i.test(word))
      .map((word) => word.split('=')[0] ?? '')
      .filter(
        (flag) =>
          !new RegExp(`(^|[\\s,])${flag}(?![\\w-])`, 'm').test(
            helps.get(command.args[0] ?? '') ?? '',
          ),
      )
      .map((flag) => `${flag} in ${command.place}`),
  )
  expect(unknown).toEqual([])
})

test('docs/cli.md describes every option of every command', async () => {
  const page = readFileSync(join(root, 'docs/cli.md'), 'utf8')
  const missing: string[] = []
  for (const name of new Set(commands.map(({ args }) => args[0] ?? ''))) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, in one process
    const { stdout } = await cli([name, '--help'])
    for (const [, flag = ''] of stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)) {
      if (flag !== '--help' && !page.includes(flag)) missing.push(`${name} ${flag}`)
    }
  }
  expect(missing).toEqual([])
})

test('every npm script in a shell block of this repository is one', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const pages = ['CONTRIBUTING.md', 'AGENTS.md', 'docs/performance.md']
  const used = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/`?npm run ([\w:-]+)/g)].map(
      ([, name = '']) => `${page}: ${name}`,
    ),
  )
  expect(used.length).toBeGreaterThan(8)
  expect(used.filter((each) => scripts[each.split(': ')[1] ?? ''] === undefined)).toEqual([])
})
