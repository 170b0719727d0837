import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
// The classic compiler API, which TypeScript 7 does not have.
import ts from 'typescript-5'
import { expect, test } from 'vitest'
import { type ExportedName, listExportedNames } from '../../scripts/reference-text.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const names = listExportedNames()
const values = names.filter(({ kind }) => kind !== 'type')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/**
 * A name is public only on purpose. To publish one, add it to the list: a value
 * needs an example in its docstring and a use in a page, a type is one that users
 * name or that the type of a value needs.
 */
test('the package exports the names of public-names.txt, and at most 240', () => {
  const entries = Map.groupBy(names, ({ entry }) => entry)
  const list = [...entries].map(([entry, own]) => {
    const lines = own.map(({ kind, name }) => `  ${kind === 'type' ? 'type ' : ''}${name}\n`)
    return `${entry}\n${lines.join('')}`
  })
  expect(list.join('\n')).toBe(read('test/docs/public-names.txt'))
  expect(names.length).toBeLessThanOrEqual(240)
})

test('every value is used by a page, a template, a recipe or an example', () => {
  const generated = /^docs\/(?:reference\.md|checks\/)/
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })]
    .filter((path) => !generated.test(path))
    .map((path) => [...read(path).matchAll(/^```[^]*?^```|`[^`\n]+`/gm)].join('\n'))
  const code = globSync('{templates,recipes,examples}/**/*.ts', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  }).map(read)
  const text = [...pages, ...code].join('\n')
  const unused = values.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(text))
  expect(unused.map(({ entry, name }) => `${entry} ${name}`)).toEqual([])
})

/** Unknown names, modules and labels: an example is a part of a program. */
const FRAGMENT_ERRORS = new Set([2304, 2307, 2552, 7028, 18004])

/** Returns a module that contains an example, with the names of the package that it uses. */
function toModule({ entry, example }: ExportedName): string {
  const declared = [...example.matchAll(/(?:const|import) (\{[^}]*\}|\w+)/g)].join(' ')
  const has = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text)
  // A name of several entries is imported from its own.
  const sources = new Map<string, string>()
  for (const from of ['sidecard', entry]) {
    for (const value of values) if (value.entry === from) sources.set(value.name, from)
  }
  const imports = [...sources]
    .filter(([name]) => has(example, name) && !has(declared, name))
    .map(([name, from]) => `import { ${name} } from '${from}'\n`)
  return `${imports.join('')}${example}\nexport {}\n`
}

test('every value has an example, and the compiler accepts it', () => {
  mkdirSync(join(root, '.scratch'), { recursive: true })
  const folder = mkdtempSync(join(root, '.scratch/examples-'))
  try {
    const files = values.map((value, index) => {
      const file = join(folder, `${index}.ts`)
      writeFileSync(file, toModule(value))
      return file
    })
    const { compilerOptions } = JSON.parse(read('tsconfig.json')) as { compilerOptions: object }
    const { options } = ts.convertCompilerOptionsFromJson(
      {
        ...compilerOptions,
        noImplicitAny: false,
        noUnusedLocals: false,
        noUnusedParameters: false,
      },
      root,
    )
    const program = ts.createProgram(files, options)
    const problems = values.flatMap((value, index) => {
      const source = program.getSourceFile(files[index]!)
      const errors = [
        ...program.getSyntacticDiagnostics(source),
        ...program.getSemanticDiagnostics(source),
      ]
      const missing = value.example.includes(value.name) ? [] : ['no example with this name']
      return [
        ...missing,
        ...errors
          .filter(({ code }) => !FRAGMENT_ERRORS.has(code))
          .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
      ].map((problem) => `${value.entry} ${value.name}: ${problem}`)
    })
    expect(problems).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
