import { describe, expect, it } from 'vitest'
import { type CustomerFlag, parseCustomers } from '../../../src/tools/cli/endpoint-flags.ts'

const io = { cwd: '/nonexistent', env: { NAME: 'Acme Ltd' } }
/** `account_id=acme` is a `--param`, everything else a `--shows`. */
const parse = (...texts: readonly string[]) =>
  parseCustomers(
    texts.map((text): CustomerFlag => ({ flag: /=/.test(text) ? 'param' : 'shows', text })),
    io,
  ).map(({ ids, shows }) => [Object.values(ids), shows])

describe('the customers of the flags --param and --shows', () => {
  it('start with a repeated name, or with a parameter after a text', () => {
    expect(parse('account_id=a', 'requester_id=r', 'account_id=b')).toEqual([
      [['a', 'r'], []],
      [['b'], []],
    ])
    expect(parse('account_id=a', 'A one', 'A two', 'requester_id=r', 'R')).toEqual([
      [['a'], ['A one', 'A two']],
      [['r'], ['R']],
    ])
  })

  it('have texts from variables too', () => {
    expect(parse('account_id=a', 'env:NAME')).toEqual([[['a'], ['Acme Ltd']]])
    expect(() => parse('account_id=a', 'env:NOBODY')).toThrow('NOBODY, used by --shows, is not set')
  })

  it('are needed before a text', () => {
    expect(() => parse('Acme', 'account_id=a')).toThrow('--shows needs a customer before it')
  })
})
