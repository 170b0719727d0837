import { expect, it } from 'vitest'
import type { CheckOptions } from 'sidecard/check'
import { checkParts } from '../../farm/farm.ts'
import { json, LUMEN, NORTHWIND, type Parts, show, text } from '../../farm/seed.ts'

/** An endpoint that looks a customer up by the account ID, and shows an unknown ID. */
const lookUp = (
  ids: readonly string[],
  matches: (known: string, given: string) => boolean,
): readonly [Parts, CheckOptions] => {
  const customers = ids.map((id, index) => ({
    ids: { account_id: id },
    shows: [[NORTHWIND, LUMEN][index]!.name],
  }))
  const data: Parts['data'] = ({ id }) => {
    const found = customers.find(({ ids: { account_id } }) => id !== '' && matches(account_id, id))
    return json(show(found ? text('Name', found.shows[0]!) : text('Result', `Nobody is ${id}`)))
  }
  return [{ data }, { customers }]
}
const isSimilar = (known: string, given: string) =>
  known.length === given.length &&
  Array.from(known).filter((letter, at) => letter !== given[at]).length < 2
const IDS = [NORTHWIND.id, LUMEN.id]

it.each<readonly [string, (known: string, given: string) => boolean, readonly string[]]>([
  ['a pattern of SQL', (known, given) => [known, '%'].includes(given), IDS],
  ['a wildcard', (known, given) => [known, '*'].includes(given), IDS],
  ['a condition of SQL', (known, given) => known === given || given.endsWith("' or '1'='1"), IDS],
  ['the start of an ID', (known, given) => known.startsWith(given), IDS],
  [
    'a long number that starts with an ID',
    (known, given) => known.startsWith(given),
    ['81234567', '91234568'],
  ],
  [
    'an ID in a path',
    (known, given) => new URL(`https://crm.test/${given}`).pathname === `/${known}`,
    IDS,
  ],
  ['an ID with more letters', (known, given) => given.startsWith(known), IDS],
  ['letters of which one may differ', isSimilar, IDS],
  ['letters without punctuation', (known, given) => known === given.replaceAll('-', '_'), IDS],
  ['the result of an expression', (known, given) => known === given.replaceAll("'+'", ''), IDS],
  ['an ID with more digits', (known, given) => given.startsWith(known), ['acc_1', 'acc_2']],
])('a lookup by %s shows a customer to others', async (_what, matches, ids) => {
  const { results } = await checkParts(...lookUp(ids, matches))
  expect(results.find(({ rule }) => rule === 'security-isolation')?.status).toBe('fail')
})

it.each<readonly [string, (known: string, given: string) => boolean, readonly string[]]>([
  [
    'any letter case, if each ID has only one',
    (known, given) => known === given.toLowerCase(),
    IDS,
  ],
  ['the number in an ID', (known, given) => Number(given) === Number(known), ['1001', '1003']],
  [
    'the number after a prefix',
    (known, given) => known === /^acc_\d+/.exec(given)?.[0].replace(/_0*/, '_'),
    ['acc_1', 'acc_2'],
  ],
  [
    'the whole ID, of which a text is a part',
    (known, given) => known === given,
    ['northWind tradeRs', 'acc_2'],
  ],
])('a lookup by %s harms nobody', async (_what, matches, ids) => {
  const [parts, options] = lookUp(ids, matches)
  let tokens = 0
  const randomToken = () => `tok${String((tokens += 1)).padStart(9, '0')}`
  const { results } = await checkParts(parts, { ...options, randomToken })
  expect(results.filter(({ status }) => status === 'fail')).toEqual([])
})

it.each<readonly [string, (known: string, given: string) => boolean, string]>([
  [
    'only warns about any letter case, because IDs may be unique without it',
    (known, given) => known === given,
    'warn',
  ],
  ['fails for a part of an ID as well', (known, given) => known.startsWith(given), 'fail'],
])('a check %s', async (_what, matches, status) => {
  const folded = lookUp(['acc_North', 'acc_Lumen'], (known, given) => {
    return matches(known.toLowerCase(), given.toLowerCase())
  })
  const { results } = await checkParts(...folded)
  expect(results.find(({ rule }) => rule === 'security-isolation')?.status).toBe(status)
})

it('may show a customer whose ID is the start of a passed one', async () => {
  const [parts, options] = lookUp(['globex-1', 'acc_2'], (known, given) => known === given)
  const data: Parts['data'] = (each) =>
    each.id === 'acc_' || each.id === 'globex-'
      ? json(show(text('Name', 'Fabrikam')))
      : parts.data!(each)
  expect((await checkParts({ data }, options)).verdict).toBe('conforms')
})
