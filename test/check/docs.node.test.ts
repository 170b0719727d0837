import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { RULES } from 'sidecard/check'
import { checkDocs } from '../../scripts/check-docs.ts'

const docs = new URL('../../docs/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, docs), 'utf8')

describe('the pages of the rules', () => {
  it('are what the rules say: run npm run generate', () => {
    const drifted = [...checkDocs()].filter(([name, page]) => read(`checks/${name}`) !== page)
    expect(drifted.map(([name]) => name)).toEqual([])
  })

  it('are there for rules that exist, and for no others', () => {
    const pages = [...checkDocs().keys(), 'github-actions.md'].sort()
    expect(readdirSync(new URL('checks/', docs)).sort()).toEqual(pages)
  })

  it('point at headings of the contract and at assumptions that exist', () => {
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
  it('has an id of its own, and says what, why and what to do', () => {
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

  it('fails a run by the contract’s words or by harm, and never by what the contract does not show', () => {
    const unfounded = RULES.filter(
      ({ level, contract }) => (contract.basis === 'silence') === (level === 'MUST'),
    )
    expect(unfounded.map(({ id }) => id)).toEqual([])
  })
})
