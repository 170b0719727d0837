import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as sidecard from 'sidecard'
import * as schema from 'sidecard/schema'
import { pascalCase, readPayloadModel } from '../../../scripts/contract/payload-model.ts'

/** What follows the vocabulary by hand: exports, and the tables of docs/contract.md. */

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const { objects, unions } = readPayloadModel()
const components = objects.filter(({ fields }) => fields.some(({ kind }) => kind === 'type'))

test.each(components.map(({ name }) => pascalCase(name)))(
  'sidecard/schema exports the schema of %s, and sidecard the type',
  (type) => {
    const name = `${type[0]?.toLowerCase()}${type.slice(1)}Schema`
    expect(schema).toHaveProperty(name)
    expect(read('src/index.ts')).toMatch(new RegExp(`^ {2}${type},$`, 'm'))
  },
)

test.each(components.map(({ name }) => pascalCase(name)))(
  'sidecard exports a builder of %s',
  (type) => {
    expect(sidecard).toHaveProperty(
      `${type[0]?.toLowerCase()}${type.slice(1)}`,
      expect.any(Function),
    )
  },
)

/** Returns the text below a heading of docs/contract.md. */
function docSection(title: string): string {
  const [, text = ''] = read('docs/contract.md').split(new RegExp(`^#{2,3} ${title}\\n`, 'm'))
  return text.split(/^#{2,3} /m)[0] ?? ''
}

test.each(components)('docs/contract.md has the fields of $name', ({ name, fields }) => {
  const title = name.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())
  const text = docSection(title)
  const nested = fields.flatMap(({ object, items }) =>
    objects.filter((each) => each.name === (object ?? items)).flatMap((each) => each.fields),
  )
  for (const field of [...fields, ...nested]) {
    expect(text).toMatch(new RegExp(`\`${field.name}\`${field.required ? '\\\\\\*' : '(?!\\\\)'}`))
  }
})

test('docs/contract.md has the fields of the payload and its header', () => {
  const text = docSection('Payload')
  for (const { name, required } of objects.find((each) => each.name === 'payload')?.fields ?? []) {
    expect(text).toMatch(
      new RegExp(`^\\| \`${name}\` +\\| \\w+ +\\| ${required ? 'yes' : 'no'} `, 'm'),
    )
  }
  for (const { name } of objects.find((each) => each.name === 'header')?.fields ?? []) {
    expect(text).toContain(`\`${name}\``)
  }
})

test('docs/contract.md counts the components', () => {
  expect(unions.find(({ name }) => name === 'component')?.members).toHaveLength(7)
  expect(docSection('Payload')).toContain('any of the seven')
})
