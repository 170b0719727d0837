import { describe, expect, it } from 'vitest'
import type { CheckOptions } from 'sidecard/check'
import { checkInProcess, findingLines, findResult, json } from './in-process.ts'
import type { Answer, Parts, Received } from './in-process.ts'

const text = (label: string, value: string) => ({ type: 'text', label, value })
const show = (title: string, ...components: readonly unknown[]) =>
  json({ version: '1.0.0', header: { title }, components })

const get = ({ params }: Received, name: string) => params.get(name) ?? ''
const sleep = () => new Promise<void>((resolve) => void setTimeout(resolve, 2))

/** The customers that the endpoints of this file know. */
const CUSTOMERS: Readonly<Record<string, readonly [name: string, plan: string]>> = {
  'acme-1': ['Acme Limited', 'Enterprise plan'],
  'globex-1': ['Globex Corporation', 'Starter plan'],
  '7': ['Initech Partners', 'Starter plan'],
}
const byAccount = (...ids: readonly string[]): CheckOptions => ({
  customers: ids.map((id) => ({ ids: { account_id: id } })),
  isolationSamples: 4,
})
const TWO = byAccount('acme-1', 'globex-1')
const ONE = byAccount('acme-1')

/** Shows the ID, the name and a link to the customer. Others are not found. */
const full = (id: string, [name, plan]: readonly [string, string]) =>
  show(name, text('Account', id), text('Plan', plan), {
    type: 'button',
    label: 'Open',
    button_type: 'link',
    url: `https://a.example/accounts/${id}`,
  })
const named = (_id: string, [name, plan]: readonly [string, string]) =>
  show('Billing', text('Name', name), text('Plan', plan))

const data =
  (id: string, view = full, missing: () => Response = () => json({ error: 'unknown' }, 404)) =>
  (): Response => {
    const customer = CUSTOMERS[id]
    return customer === undefined ? missing() : view(id, customer)
  }

/** Remembers responses by a key, as a careless cache does. */
function cached(key: (received: Received) => string, view = full, missing?: () => Response): Parts {
  const answers = new Map<string, Response>()
  return {
    data(received) {
      const at = key(received)
      const answer = answers.get(at) ?? data(get(received, 'account_id'), view, missing)()
      if (answer.ok) answers.set(at, answer.clone())
      return answer
    },
  }
}

/** Keeps the customer in a variable that concurrent requests share. */
function shared(view = full): Parts {
  let current = ''
  return {
    async data(received) {
      const id = get(received, 'account_id')
      if (!(id in CUSTOMERS)) return json({ error: 'unknown' }, 404)
      current = id
      await sleep()
      return data(current, view)()
    },
  }
}

const isolation = async (parts: Parts, options: CheckOptions) => {
  const report = await checkInProcess(parts, options)
  const { status, reason, findings } = findResult(report, 'security-isolation')
  const [finding] = findings
  expect(JSON.stringify(report)).not.toMatch(/Acme Limited|Globex Corporation|globex/)
  return { report, status, reason, message: finding?.message, path: finding?.path }
}

describe('the data of one customer in the response to another', () => {
  const never = () => show('Billing', text('Note', 'No customer found'))
  const mistakes: ReadonlyArray<readonly [string, () => Parts, CheckOptions]> = [
    ['one entry for everyone, and one passed customer', () => cached(() => '', full, never), ONE],
    ['one entry for everyone, and two passed customers', () => cached(() => ''), TWO],
    ['a cache by widget', () => cached((each) => get(each, 'widget_id')), TWO],
    ['a cache by organization', () => cached((each) => get(each, 'organization_id')), TWO],
    ['a cache by requester', () => cached((each) => get(each, 'requester_id')), TWO],
    ['a cache by email', () => cached((each) => get(each, 'requester_email')), TWO],
    [
      'a cache by organization, for two accounts of one organization',
      () => cached((each) => get(each, 'organization_id')),
      {
        customers: [
          { ids: { organization_id: 'o1', account_id: 'acme-1' } },
          { ids: { organization_id: 'o1', account_id: 'globex-1' } },
        ],
      },
    ],
    ['a shared variable', () => shared(), TWO],
    ['a shared variable, and only names', () => shared(named), TWO],
    [
      'the first customer for the second, always',
      () => ({
        data: (each) => data(get(each, 'account_id').replace('globex-1', 'acme-1'))(),
      }),
      TWO,
    ],
    [
      'a short ID in a URL',
      () => ({
        data: (each) =>
          get(each, 'account_id') in CUSTOMERS
            ? show('B', {
                type: 'link',
                label: 'Open',
                url: 'https://a.example/?tab=1&account=7#x',
              })
            : json({ error: 'unknown' }, 404),
      }),
      byAccount('7', 'acme-1'),
    ],
    [
      'a link of another customer next to the own data',
      () => {
        let first: string | undefined
        return {
          data(each) {
            const id = get(each, 'account_id')
            if (!(id in CUSTOMERS)) return json({ error: 'unknown' }, 404)
            first ??= id
            const url = `https://a.example/${first}/orders`
            return show('B', text('Account', id), { type: 'link', label: 'Orders', url })
          },
        }
      },
      TWO,
    ],
    [
      'data without any ID',
      () => ({ data: (each) => data(get(each, 'account_id') || 'acme-1')() }),
      ONE,
    ],
  ]

  it.each(mistakes)('fails the run: %s', async (_name, make, options) => {
    const { report, status, message, path } = await isolation(make(), {
      ...options,
      expectAuth: true,
    })
    expect(status).toBe('fail')
    expect(report.verdict).toBe('violates')
    expect(message).toMatch(
      /^data fetch[\w ,-]*: contains (?:the account_id of customer \d|text that only the data of customer \d contains)$/,
    )
    expect(path).toMatch(/^(?:components\[\d\]\.(?:value|url)|header\.title)$/)
  })

  it('is found the same way in every run', async () => {
    const runs = await Promise.all(
      mistakes.map(async ([, make, options]) =>
        [await isolation(make(), options), await isolation(make(), options)].map(
          ({ status }) => status,
        ),
      ),
    )
    expect(runs).toEqual(mistakes.map(() => ['fail', 'fail']))
  })

  it('is found for made-up customers of one organization', async () => {
    const answers = new Map<string, Response>()
    const byOrganization: Answer = (received) => {
      const key = get(received, 'organization_id')
      const answer = answers.get(key) ?? show('B', text('Account', get(received, 'account_id')))
      answers.set(key, answer.clone())
      return answer
    }
    expect(await isolation({ data: byOrganization }, {})).toMatchObject({
      status: 'fail',
      message: 'data fetch for made-up customer 5: contains an ID from another request',
    })
  })

  it('is found by a short ID that is encoded in a link', async () => {
    const linkTo = (id: string) => ({
      type: 'link',
      label: 'Open',
      url: `https://a.example/accounts/${encodeURIComponent(id)}`,
    })
    const parts: Parts = {
      data: (received) =>
        show('Billing', text('Name', `Account ${get(received, 'account_id')}`), linkTo('a/7')),
    }
    const { status, message, path } = await isolation(parts, byAccount('a/7', 'b/9'))
    expect({ status, path }).toEqual({ status: 'fail', path: 'components[1].url' })
    expect(message).toContain('contains the account_id of customer 1')
  })
})

describe('an endpoint that shows each customer only their own data', () => {
  const own: Parts = { data: (each) => data(get(each, 'account_id'))() }
  const recent = (showsOwn: boolean): Parts => {
    const seen: string[] = []
    return {
      data(each) {
        const id = get(each, 'account_id')
        const others = seen.filter((one) => one !== id).slice(-3)
        if (id in CUSTOMERS) seen.push(id)
        return show(
          'B',
          ...(showsOwn ? [text('Account', id)] : []),
          ...others.map((one) => text('Recent', one)),
        )
      },
    }
  }
  let count = 0
  it.each<readonly [string, Parts, CheckOptions]>([
    ['by ID', own, TWO],
    ['with one passed customer', own, ONE],
    ['by name only', { data: (each) => data(get(each, 'account_id'), named)() }, TWO],
    ['with a correct cache', cached((each) => get(each, 'account_id')), TWO],
    ['and recently viewed customers', recent(true), TWO],
    [
      'and values that equal an ID of another',
      {
        data: (each) => show('B', text('Account', get(each, 'account_id')), text('Seats', '7')),
      },
      byAccount('7', 'acme-1', 'globex-1'),
    ],
    [
      'and a parent account',
      {
        data(each) {
          const id = get(each, 'account_id')
          const parent = id === 'globex-1' ? [text('Parent account', 'acme-1')] : []
          return show('B', text('Account', id), ...parent)
        },
      },
      TWO,
    ],
    [
      'and a contact and an invoice that two requesters of one account share',
      {
        data(each) {
          const id = get(each, 'account_id')
          const both = [text('Contact', 'ann@acme.example'), text('Invoice', 'INV-71220')]
          return show('B', text('Account', id), ...(id === 'acme-1' ? both : []))
        },
      },
      {
        customers: [
          { ids: { account_id: 'acme-1', requester_email: 'ann@acme.example' } },
          { ids: { account_id: 'acme-1', requester_email: 'bob@acme.example' } },
        ],
      },
    ],
    [
      'and the same account for an account and for an email address',
      {
        data: (each) =>
          get(each, 'account_id') === 'acme-1' ||
          get(each, 'requester_email') === 'ann@acme.example'
            ? show('B', text('Account', 'acme-1'), text('Contact', 'ann@acme.example'))
            : show('B', text('Account', 'unknown')),
      },
      {
        customers: [
          { ids: { account_id: 'acme-1' } },
          { ids: { requester_email: 'ann@acme.example' } },
        ],
      },
    ],
    [
      'and tips that change',
      {
        data: (each) =>
          show(
            'B',
            text('Account', get(each, 'account_id')),
            text(
              'Tip',
              ['Ask for the order number', 'Offer the yearly plan'][(count += 1) % 2] ?? '',
            ),
          ),
      },
      TWO,
    ],
    [
      'and a link that differs in every response',
      {
        data: (each) =>
          show('B', text('Account', get(each, 'account_id')), {
            type: 'link',
            label: 'Open',
            url: `https://a.example/login?state=${(count += 1)}abcdefgh`,
          }),
      },
      TWO,
    ],
  ])('passes: %s', async (_name, parts, options) => {
    const { data: answer } = parts
    const { report, status } = await isolationOrSkip({ data: answer ?? (() => json({})) }, options)
    expect(findingLines(report).filter((line) => /isolation|shared/.test(line))).toEqual([])
    expect(status).not.toBe('fail')
  })

  const isolationOrSkip = async (parts: Parts, options: CheckOptions) => {
    const report = await checkInProcess(parts, options)
    return { report, status: findResult(report, 'security-isolation').status }
  }

  const withContact = (id: string, isOnline: boolean) => {
    const items = [{ value: isOnline ? 'Online' : 'Away', color: 'gray' }]
    return show('B', text('Account', id), { type: 'badge', label: 'Contact', items })
  }

  it.each([0.01, 0.03, 0.1, 0.5])(
    'is not suspected for a badge that changes by chance, in a share of %s of the reads',
    async (share) => {
      const statuses = Array.from({ length: 8 }, async (_, seed) => {
        let state = (seed + 1) * 7919
        const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
        const answer: Answer = (each) => {
          const isOnline = random() < share !== (get(each, 'account_id') === 'acme-1')
          return withContact(get(each, 'account_id'), isOnline)
        }
        return (await isolationOrSkip({ data: answer }, { ...TWO, isolationSamples: 40 })).status
      })
      expect(await Promise.all(statuses)).toEqual(statuses.map(() => 'skip'))
    },
  )

  it('is not suspected for tips that customers share by chance', async () => {
    const tips = ['Ask for the order number', 'Offer the yearly plan']
    const statuses = Array.from({ length: 20 }, async (_, seed) => {
      let state = seed + 1
      const random = () => (state = (state * 48_271) % 2_147_483_647) >> 8
      const answer: Answer = (each) =>
        show('B', text('Account', get(each, 'account_id')), text('Tip', tips[random() % 2] ?? ''))
      return (await isolationOrSkip({ data: answer }, TWO)).status
    })
    expect(await Promise.all(statuses)).toEqual(statuses.map(() => 'skip'))
  })

  it('is not suspected for a badge that changes for a moment', async () => {
    let reads = 0
    const answer: Answer = (each) => {
      const id = get(each, 'account_id')
      reads += 1
      return withContact(id, id === 'acme-1' && (reads < 60 || reads > 80))
    }
    const { status } = await isolationOrSkip({ data: answer }, { ...TWO, isolationSamples: 40 })
    expect(status).toBe('skip')
  })
})

describe('responses that do not show whose data they are', () => {
  const plan = (value: string) => show('Billing', text('Plan', value))
  it.each<readonly [string, Answer, CheckOptions, string]>([
    [
      'the same content for two passed customers',
      () => plan('Enterprise plan'),
      TWO,
      'data fetch for customer 2: got the same content as customer 1: pass customers with different data',
    ],
    [
      'a card for two unknown customers',
      (each) => show('Billing', text('Note', `Nothing for ${get(each, 'widget_id')}`)),
      byAccount('none', 'unknown'),
      'data fetch for customer 2: got the same content as customer 1: pass customers with different data',
    ],
    [
      'a plan',
      (each) => plan(get(each, 'account_id') === 'acme-1' ? 'Pro' : 'Free'),
      ONE,
      'fewer than two customers were passed with texts',
    ],
    [
      'a fixed payload, for a customer',
      () => plan('Enterprise plan'),
      ONE,
      'data fetch for made-up customer 6 alone: got the content of customer 1, although this customer cannot exist: the endpoint does not know customer 1, or shows its data to everyone',
    ],
    [
      'data for one customer only',
      (each) => data(get(each, 'account_id'))(),
      ONE,
      'fewer than two customers were passed with texts',
    ],
  ])('are not evidence: %s', async (_name, answer, options, reason) => {
    const report = await checkInProcess({ data: answer }, options)
    const result = findResult(report, 'security-isolation')
    expect(result.findings[0]?.message ?? result.reason).toBe(reason)
    expect(result.status).not.toBe('pass')
  })
})
