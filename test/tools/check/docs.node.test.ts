import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { RULES } from '../../../src/tools/check/rules/index.ts'
import { renderCheckDocs } from '../../../scripts/check-docs.ts'

const docs = new URL('../../../docs/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, docs), 'utf8')

describe('the pages of the rules', () => {
  it('match the rules: run npm run generate', () => {
    // test/docs/generated.node.test.ts compares README.md, which has a table, after its formatting.
    const pages = [...renderCheckDocs()].filter(([name]) => name !== 'README.md')
    const drifted = pages.filter(([name, page]) => read(`checks/${name}`) !== page)
    expect(drifted.map(([name]) => name)).toEqual([])
  })

  it('exist for every group of rules and for nothing else', () => {
    const pages = [...renderCheckDocs().keys()].sort()
    expect(readdirSync(new URL('checks/', docs)).sort()).toEqual(pages)
  })

  it('refer to existing headings of the contract and existing assumptions', () => {
    const headings = Array.from(read('contract.md').matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    )
    const assumptions = read('assumptions.md')
    const astray = RULES.filter(
      ({ contract, assumption = '' }) =>
        !headings.includes(contract.anchor) || !assumptions.includes(assumption),
    )
    expect(astray.map(({ id }) => id)).toEqual([])
  })
})

describe('a rule', () => {
  it('names no command-line option, since the workspace and tests show it as well', () => {
    const texts = RULES.flatMap(({ title, fix, why, contract }) => [
      title,
      fix,
      why,
      contract.statement,
    ])
    expect(texts.filter((text) => /(?:^|[\s(`])--?[A-Za-z]/.test(text))).toEqual([])
  })

  it('has a unique ID, a title, a reason and a fix', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length)
    const careless = RULES.filter(
      ({ id, fix, why, title }) =>
        !/^[a-z]+[a-z0-9]*(?:-[a-z0-9]+)*$/.test(id) ||
        !fix.endsWith('.') ||
        !why.endsWith('.') ||
        title.endsWith('.'),
    )
    expect(careless.map(({ id }) => id)).toEqual([])
  })

  it('only fails a run if the contract states it or a violation is harmful', () => {
    const unfounded = RULES.filter(({ level, contract: { basis } }) =>
      level === 'MUST' ? basis !== 'stated' && basis !== 'harm' : basis !== 'unspecified',
    )
    expect(unfounded.map(({ id }) => id)).toEqual([])
  })
})
