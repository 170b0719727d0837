import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  containsText,
  createTextFinder,
  foldText,
  isTooShort,
} from '../../../src/tools/internal/shown-text.ts'

const word = fc.stringMatching(/^[A-Za-zÄÖÜäöüßéñΣσЖж0-9]{4,12}$/)
const name = fc.array(word, { minLength: 2, maxLength: 3 }).map((words) => words.join(' '))
const around = fc.tuple(
  fc.constantFrom('', ' ', '\n', '"', '(', '/', ' – ', '_'),
  fc.constantFrom('', ' ', '.', ')', "'s", ', ', '_', '&'),
)
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('a text that a customer shows', () => {
  it('is found between other words, in any letter case and composition', () => {
    fc.assert(
      fc.property(name, word, around, (text, other, [before, after]) => {
        const find = createTextFinder(text)
        for (const form of [text, text.toUpperCase(), text.toLowerCase(), text.normalize('NFD')]) {
          expect(find(`${other} ${before}${form}${after} ${other}`)).toBe(true)
        }
      }),
    )
  })

  it('is found as base64 at any offset, hexadecimal and percent-encoded', () => {
    fc.assert(
      fc.property(name, fc.string({ maxLength: 5 }), (text, before) => {
        const find = createTextFinder(text)
        const hex = Buffer.from(`${before}${text}`).toString('hex')
        const url = base64(`${before}|${text}|`).replaceAll('+', '-').replaceAll('/', '_')
        const views = [base64(`${before}${text} `), url, hex, hex.toUpperCase()]
        for (const view of [...views, encodeURIComponent(text)]) {
          expect(find(`https://a.example/?q=${view}&x=1`)).toBe(true)
        }
        expect(find(`?q=${new URLSearchParams({ q: text }).toString()}`)).toBe(true)
      }),
    )
  })

  it('is not found as a part of a longer word, or in a text without one of its letters', () => {
    fc.assert(
      fc.property(name, fc.stringMatching(/^[a-z0-9]{1,4}$/), (text, more) => {
        const find = createTextFinder(text)
        expect(find(`x ${text}${more} y`)).toBe(false)
        expect(find(`x ${more}${text} y`)).toBe(false)
        expect(find(`x ${text.slice(1)} y`)).toBe(false)
        expect(find(base64(`x ${text.slice(0, -1)}`))).toBe(false)
      }),
    )
  })

  it('is folded once and for all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text))
      }),
    )
  })

  it.each([
    ['Ann', 'Annual plan', false],
    ['Ann', 'Plan of Ann.', true],
    ['Ann', "Ann's plan", true],
    ['Northwind', 'acc_northwind', true],
    ['Northwind', 'priya@northwind.example', true],
    ['Order 12', 'Order 123', false],
    ['Straße', 'STRASSE', true],
    ['Ｎｏｒｔｈｗｉｎｄ', 'northwind', true],
    ['ﬁne art', 'FINE  ART', true],
    ['ΟΔΟΣ', 'οδος 5', true],
    ['東京', '株式会社東京商事', true],
    ['アクメ', '株式会社アクメ商事', true],
    ['Acme', 'アクメAcme商事', true],
    ['Lumen', 'Lu\u00ADmen', true],
    ['R&D Group', 'the R&amp;D Group', true],
    ['Zoë Ltd', '{"name":"Zo\\u00eb Ltd"}', true],
    ['', 'anything', false],
    // In encodings that are rarer than base64 and hexadecimal, made with other programs.
    ['Northwind Traders', 'VG05eWRHaDNhVzVrSUZSeVlXUmxjbk09', true],
    ['Northwind Traders', 'JZXXE5DIO5UW4ZBAKRZGCZDFOJZQ====', true],
    ['Northwind Traders', 'Abegujvaq Genqref', true],
    ['Northwind Traders', 'sredarT dniwhtroN', true],
    ['Northwind Traders', '=4Eorthwind=20Traders', true],
    ['Northwind Traders', String.raw`\x4eorthwind\x20Traders`, true],
    ['Northwind Traders', String.raw`\u{4e}orthwind Traders`, true],
    ['Northwind Traders', String.raw`\116orthwind\040Traders`, true],
    ['Northwind Traders', 'N o r t h w i n d  T r a d e r s', true],
    ['Northwind Traders', 'N.o.r.t.h.w.i.n.d T.r.a.d.e.r.s', true],
    ['Northwind Traders', 'Northwind Tra…', true],
    ['Northwind Traders', 'Northwind...', true],
    ['Northwind Traders', 'North…', false],
    ['Northwind Traders', 'A B C D E F G', false],
  ])('%j in %j: %s', (text, shown, expected) => {
    expect(createTextFinder(text)(shown)).toBe(expected)
  })

  it('is not looked for in encoded views under eight characters', () => {
    expect(createTextFinder('Acme 12')(base64('Acme 12'))).toBe(false)
    expect(createTextFinder('Acme 123')(base64('Acme 123'))).toBe(true)
  })

  it.each([
    ['ab', true],
    ['a-b', true],
    ['abc', false],
    ['12', true],
    ['東', true],
    ['東京', false],
    [' \u200B', true],
    ['京a', true],
  ])('%j is too short: %s', (text, expected) => {
    expect(isTooShort(text)).toBe(expected)
  })

  it('contains another one only as whole words', () => {
    expect(containsText('Northwind Traders Berlin', 'northwind traders')).toBe(true)
    expect(containsText('Northwind Traders', 'North')).toBe(false)
  })
})
