import { globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../src/tools/workspace/', import.meta.url))

interface Use {
  /** The file of the view, and what it uses: a name, or the fixed start of several. */
  readonly file: string
  readonly name: string
  readonly isFamily: boolean
}

/** Returns the classes that each style file defines. */
function readDefinitions(files: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    files.map((file) => {
      const css = readFileSync(resolve(ROOT, file), 'utf8')
        .replaceAll(/\/\*[\s\S]*?\*\//g, '')
        .replaceAll(/:global\([^)]*\)/g, '')
        .replaceAll(/[^;{}]*;/g, '')
      return [file, new Set([...css.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name))]
    }),
  )
}

const MODULES = globSync('**/*.module.css', { cwd: ROOT })

/** Returns the classes that the views use, by style file. */
function readUses(): ReadonlyMap<string, readonly Use[]> {
  const uses = new Map<string, Use[]>()
  for (const file of globSync('**/*.{ts,tsx}', { cwd: ROOT })) {
    const text = readFileSync(resolve(ROOT, file), 'utf8')
    for (const [, name = '', path = ''] of text.matchAll(
      /import (\w+) from '(\.[^']+\.module\.css)'/g,
    )) {
      const styles = resolve(ROOT, dirname(file), path).slice(ROOT.length)
      const found = [
        ...text.matchAll(new RegExp(`(?<![.\\w])${name}(?:\\.(\\w+)|\\['([\\w-]+)'\\])`, 'g')),
      ].map(([, plain, quoted]) => ({ file, name: plain ?? quoted ?? '', isFamily: false }))
      const families = [
        ...text.matchAll(new RegExp(`(?<![.\\w])${name}\\[(?:\`([\\w-]*)\\$|(?!['\`]))`, 'g')),
      ].map(([, start = '']) => ({ file, name: start, isFamily: true }))
      uses.set(styles, [...(uses.get(styles) ?? []), ...found, ...families])
    }
  }
  return uses
}

test('views use only classes that their style file defines', () => {
  const definitions = readDefinitions(MODULES)
  const missing = [...readUses()].flatMap(([file, uses]) =>
    uses
      .filter(({ name, isFamily }) => !isFamily && definitions.get(file)?.has(name) !== true)
      .map((use) => `${use.file} uses ${use.name} of ${file}`),
  )
  expect(definitions.size).toBeGreaterThan(20)
  expect(missing).toEqual([])
})

test('style files define only classes that a view uses', () => {
  const uses = readUses()
  const dead = [...readDefinitions(MODULES)].flatMap(([file, names]) =>
    [...names]
      .filter((name) =>
        (uses.get(file) ?? []).every((use) =>
          use.isFamily ? !name.startsWith(use.name) : use.name !== name,
        ),
      )
      .map((name) => `${file}: ${name}`),
  )
  expect(dead).toEqual([])
})

test('views and style files use the shared classes, and no other name', () => {
  const shared = [
    ...readDefinitions(['core/styles/base.css', 'core/styles/shared.css']).values(),
  ].flatMap((names) => [...names])
  const read = (pattern: string) =>
    globSync(pattern, { cwd: ROOT }).map((file) => readFileSync(resolve(ROOT, file), 'utf8'))
  const views = read('**/*.tsx').join('\n')
  const names = [
    ...[...views.matchAll(/class="([^"]+)"/g)].map(([, name = '']) => name),
    ...read('**/*.module.css').flatMap((css) =>
      [...css.matchAll(/composes: ([\w -]+) from global/g)].map(([, name = '']) => name),
    ),
  ].flatMap((text) => text.split(' '))
  expect(names.filter((name) => !shared.includes(name))).toEqual([])
  // Some are chosen by a value, such as a color of a badge.
  const isUsed = (name: string) =>
    names.includes(name) || new RegExp(`['\`]${name}['\`]`).test(views)
  const families = ['icon-', 'tone-'].filter((start) => views.includes(`${start}$`))
  expect(
    shared.filter((name) => !isUsed(name) && !families.some((start) => name.startsWith(start))),
  ).toEqual([])
})
