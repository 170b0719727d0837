import { describe, expect, it } from 'vitest'
import { checkInProcess, findingLines, findResult, json } from './in-process.ts'
import type { Parts, Received } from './in-process.ts'

const get = ({ params }: Received, name: string) => params.get(name) ?? ''
const ONE = { customers: [{ ids: { account_id: 'acme' } }], isolationSamples: 8 }

/** Shows the account. Others are not found. */
const data = (id: string): Response =>
  id === 'acme' ? show('Acme Limited', text('Account', id)) : json({ error: 'unknown' }, 404)
const text = (label: string, value: string) => ({ type: 'text', label, value })
const show = (title: string, ...components: readonly unknown[]) =>
  json({ version: '1.0.0', header: { title }, components })

describe('unusual parameters of a passed customer', () => {
  const known = (isBroken: (received: Received) => boolean): Parts => ({
    data: (each) =>
      isBroken(each) ? json({ error: 'invalid' }, 400) : data(get(each, 'account_id')),
  })
  const values = ({ params }: Received) => [...params.values()].join(' ')
  it.each<readonly [string, Parts, readonly string[]]>([
    ['work', known(() => false), []],
    [
      'fail with a plus sign',
      known((each) => get(each, 'requester_email').includes('+')),
      [
        'fail | parameters-email | data fetch for customer 1 with special characters in the email: returned 400, expected 200',
      ],
    ],
    [
      'fail with capital letters',
      known((each) => /[A-Z]/.test(get(each, 'requester_email'))),
      [
        'fail | parameters-email | data fetch for customer 1 with a plus sign and capital letters in the email: returned 400, expected 200',
      ],
    ],
    [
      'fail with non-ASCII letters',
      known((each) => /[^ -~]/.test(values(each))),
      [
        'warn | parameters-id | data fetch for customer 1 with non-ASCII letters in the IDs: returned 400, expected 200',
      ],
    ],
    [
      'fail with long IDs',
      known((each) => get(each, 'issue_id').length > 100),
      [
        'warn | parameters-id | data fetch for customer 1 with long IDs: returned 400, expected 200',
      ],
    ],
  ])('%s', async (_name, parts, findings) => {
    const report = await checkInProcess(parts, ONE)
    expect(findingLines(report).filter((line) => line.includes('parameters-'))).toEqual([
      'warn | parameters-absent | returned 404, expected 200',
      'warn | parameters-empty | returned 404, expected 200',
      ...findings,
    ])
  })

  it('are not sent instead of an ID that was passed', async () => {
    const ids = { account_id: 'acme', requester_email: 'ann@acme.example' }
    const report = await checkInProcess(
      known((each) => get(each, 'requester_email') !== ids.requester_email),
      { customers: [{ ids }] },
    )
    expect(findResult(report, 'parameters-email').status).toBe('skip')
    expect(findResult(report, 'parameters-id').status).toBe('pass')
  })
})
