import { describe, expect, it } from 'vitest'
import { NAMINGS, SPECIAL_TEXTS } from '../../../src/tools/check/probes/dimensions.ts'
import { HEADERS } from '../../fixtures/endpoints/reference.ts'
import { checkParts } from '../../farm/farm.ts'
import {
  FABRIKAM,
  find,
  full,
  json,
  LUMEN,
  NORTHWIND,
  type Parts,
  respond,
  show,
  text,
} from '../../farm/seed.ts'

/** Every pair of two lists. */
const product = (left: readonly string[], right: readonly string[]) =>
  left.flatMap((first) => right.map((second) => `${first}, ${second}`))

const SPECIAL_NAMES = SPECIAL_TEXTS.map(({ contains }) => contains)
const KNOWN = [NORTHWIND, LUMEN].map(({ id, name }, index) => ({
  ids: {
    account_id: id,
    issue_id: `issue-${index}`,
    organization_id: `org-${index}`,
    requester_id: `person-${index}`,
    requester_email: `person-${index}@example.org`,
  },
  shows: [name],
}))

/** Returns the query of each request of a check, and whether it had the secret. */
async function record(options: Parameters<typeof checkParts>[1] = {}) {
  const sent: Array<{ query: URLSearchParams; hasSecret: boolean; isRight: boolean }> = []
  const authorized: Parts['authorized'] = ({ request, params }) => {
    const key = request.headers.get('x-key')
    const isRight = key === HEADERS['x-key']
    sent.push({ query: params, hasSecret: key !== null, isRight })
    return isRight
  }
  const report = await checkParts({ authorized }, options)
  return { report, sent }
}

const customerOf = (query: URLSearchParams) => {
  const values = [...query.values()]
  const index = KNOWN.findIndex(({ ids }) => Object.values(ids).some((id) => values.includes(id)))
  return index < 0 ? 'a made-up customer' : `customer ${index + 1}`
}

describe('the requests of a check', () => {
  it('name each customer in each way without the secret: no cell is empty', async () => {
    const { sent } = await record({ customers: KNOWN })
    const covered = sent
      .filter(({ query, hasSecret }) => !hasSecret && query.get('request_type') === 'fetch_data')
      .map(({ query }) => {
        const ids = NAMINGS.filter((name) => query.has(name))
        return `${customerOf(query)}, ${ids.length === 1 ? ids[0] : 'all IDs'}`
      })
    const cells = product(['customer 1', 'customer 2', 'a made-up customer'], NAMINGS)
    expect(cells.filter((cell) => !covered.includes(cell))).toEqual([])
  })

  it('contain each special text alone in each place: no cell is empty', async () => {
    const { sent } = await record()
    const isPassed = (query: URLSearchParams) =>
      [NORTHWIND.id, LUMEN.id].includes(query.get('account_id') ?? '')
    const covered = sent.flatMap(({ query, hasSecret }) => {
      if (!hasSecret) return []
      const who = isPassed(query) ? 'a passed customer' : 'a made-up customer'
      const email = query.get('requester_email') ?? ''
      const free = ['issue_id', 'organization_id', 'requester_id']
      if (!isPassed(query)) free.push('account_id')
      return SPECIAL_TEXTS.flatMap(({ contains, text: special, inEmail = special }) => {
        const escaped = inEmail.replaceAll(/["\\]/g, String.raw`\$&`)
        const isInEmail = ['@example.com', '"@example.com'].some((end) =>
          email.endsWith(`${escaped}${end}`),
        )
        const isInIds = free.every((name) => query.get(name)?.endsWith(special))
        return [
          ...(isInEmail ? [`${contains}, the email address of, ${who}`] : []),
          ...(isInIds ? [`${contains}, the IDs of, ${who}`] : []),
        ]
      })
    })
    const cells = product(
      SPECIAL_NAMES,
      product(['the email address of', 'the IDs of'], ['a passed customer', 'a made-up customer']),
    )
    expect(cells.filter((cell) => !covered.includes(cell))).toEqual([])
  })

  it('are at most 368 for two customers, of which at least 100 ask for the data of each one', async () => {
    const { report, sent } = await record()
    expect(report.requests).toBeLessThanOrEqual(368)
    for (const { id } of [NORTHWIND, LUMEN]) {
      const own = sent.filter(({ query, isRight }) => isRight && query.get('account_id') === id)
      expect(own.length).toBeGreaterThanOrEqual(100)
    }
    expect(report.verdict).toBe('conforms')
  })
})

/** Shows the account that one lookup finds, and a text without an account. */
const byEmail = (email: string) => (email.startsWith('person-') ? NORTHWIND : undefined)

describe('an endpoint that interprets a value', () => {
  const withEmail = (respondTo: (email: string, id: string) => Response): Parts => ({
    data: ({ params, id }) => respondTo(params.get('requester_email') ?? '', id),
  })
  const note = (value: string, id: string) => {
    const account = find(id)
    return show(...(account ? [text('Name', account.name)] : []), text('Requester', value))
  }

  it.each<readonly [string, Parts]>([
    ...['"', '\\'].map((special): readonly [string, Parts] => [
      `${special} in a template of JSON`,
      withEmail((email, id) => {
        const body = JSON.stringify(note('EMAIL', id))
        const careless = email.includes(special) ? email : JSON.stringify(email).slice(1, -1)
        return json(body.replace('EMAIL', () => careless))
      }),
    ]),
    ...['{{7*7}}', '${7*7}', '#{7*7}', '<%=7*7%>'].map((special): readonly [string, Parts] => [
      `${special} in a template`,
      withEmail((email, id) => json(note(email.replace(special, '49'), id))),
    ]),
    ...['%s', '{0}', '$&', '<b>', "'"].map((special): readonly [string, Parts] => [
      `${special} adds a component`,
      withEmail((email, id) => {
        const { components, ...rest } = note('', id)
        const more = email.includes(special) ? [text('Injected', 'yes')] : []
        return json({ ...rest, components: [...components, ...more] })
      }),
    ]),
  ])('fails the run: %s', async (_what, parts) => {
    const { results } = await checkParts(parts)
    expect(results.find(({ rule }) => rule === 'parameters-email')?.status).toBe('fail')
  })

  it.each(['{{7*7}}', '%s', '{0}', '$&', '$HOME'])('warns if %s is replaced', async (special) => {
    const { results } = await checkParts(
      withEmail((email, id) => json(note(email.replace(special, 'root'), id))),
    )
    expect(results.find(({ rule }) => rule === 'parameters-email')?.status).toBe('warn')
  })

  it.each(['%@example.com', '*@example.com', `' or 1=1 -- "@example.com`])(
    'fails the run if %s matches every customer',
    async (pattern) => {
      const { results } = await checkParts(
        withEmail((email, id) =>
          respond(find(id) ?? (email.endsWith(pattern) ? NORTHWIND : undefined)),
        ),
      )
      expect(results.find(({ rule }) => rule === 'security-isolation')?.status).toBe('fail')
    },
  )

  it('fails the run if one way to name a customer needs no secret', async () => {
    const ids = { account_id: NORTHWIND.id, requester_email: 'person-0@example.org' }
    const { results } = await checkParts(
      {
        authorized: ({ request, params }) =>
          request.headers.get('x-key') === HEADERS['x-key'] || !params.has('account_id'),
        data: ({ params, id }) => respond(find(id) ?? byEmail(params.get('requester_email') ?? '')),
      },
      { customers: [{ ids, shows: [NORTHWIND.name] }] },
    )
    expect(results.find(({ rule }) => rule === 'auth-data-missing')?.status).toBe('fail')
  })
})

it('may show a component only for the passed issue', async () => {
  const customers = KNOWN.map(({ ids: { account_id, issue_id }, shows }) => ({
    ids: { account_id, issue_id },
    shows,
  }))
  const data: Parts['data'] = ({ id, params }) => {
    const account = find(id)
    const issue = params.get('issue_id') ?? ''
    const ticket = customers.some(({ ids }) => ids.issue_id === issue)
      ? [text('Ticket', issue)]
      : []
    return account ? json(show(text('Name', account.name), ...ticket)) : respond(account)
  }
  const { results } = await checkParts({ data }, { customers })
  expect(results.flatMap(({ findings }) => findings)).toEqual([])
})

it('may find nobody if one of the passed IDs is a different one', async () => {
  const customers = KNOWN.map(({ ids: { account_id, issue_id }, shows }) => ({
    ids: { account_id, issue_id },
    shows,
  }))
  const data: Parts['data'] = ({ id, params }) => {
    const at = customers.findIndex(({ ids }) => ids.account_id === id)
    const issue = params.get('issue_id') ?? customers[at]?.ids.issue_id
    return respond(issue === customers[at]?.ids.issue_id ? find(id) : undefined)
  }
  const { unproven, verdict } = await checkParts({ data }, { customers })
  expect({ unproven, verdict }).toEqual({ unproven: [], verdict: 'conforms' })
})

describe('a firewall', () => {
  it.each([403, 429])(
    'that blocks the right secret with %i leaves the run not proven',
    async (status) => {
      let wrong = 0
      const report = await checkParts(
        {
          authorized: ({ request }) => {
            const isRight = request.headers.get('x-key') === HEADERS['x-key']
            if (!isRight) wrong += 1
            return isRight && wrong < 10
          },
          rejected: () => json({ error: 'blocked' }, wrong < 10 ? 401 : status),
        },
        { maxWaitMs: 0 },
      )
      expect(report).toMatchObject({ verdict: 'not_proven', blocked: true })
      expect(report.unproven[0]?.reason ?? '').toMatch(/limits the rate|as by a firewall/)
      expect(report.unproven.some(({ reason }) => reason.includes('firewall'))).toBe(true)
    },
  )
})

describe('a data source that fails', () => {
  /** Reports a failure at some of the data fetches. */
  const fails = (isFailing: (count: number) => boolean): Parts => {
    let count = 0
    return {
      data: ({ id }) => {
        count += 1
        const response = respond(find(id))
        if (isFailing(count)) {
          response.headers.set('x-sidecard-failure', 'section_failed;component=1')
          response.headers.set('x-sidecard-trace', `trace-${count}`)
        }
        return response
      },
    }
  }

  it('for a moment causes a warning with the trace IDs, and the run conforms', async () => {
    const report = await checkParts(fails((count) => count % 80 === 0))
    expect(report.verdict).toBe('conforms')
    const [finding] = report.results.find(({ rule }) => rule === 'data-failure')?.findings ?? []
    expect(finding?.message).toMatch(
      /^\d of \d{3} data fetches failed, and succeeded when they were repeated: .*trace-80/,
    )
  })

  it('all the time leaves the run not proven, whatever else it hides', async () => {
    const report = await checkParts(fails((count) => count > 100))
    expect(report.verdict).toBe('not_proven')
    expect(report.unproven.map(({ rule }) => rule)).toContain('data-failure')
  })
})

describe('an unknown customer', () => {
  const shown: Parts = {
    data: ({ id }) =>
      json(show(text('Name', find(id)?.name ?? 'No such customer'), text('Plan', 'Business'))),
  }

  it.each<readonly [string, Parts, readonly string[] | undefined, string]>([
    ['other components', {}, undefined, 'conforms'],
    ['the components of a known one', shown, undefined, 'not_proven'],
    [
      'the components of a known one, and a text that says so',
      shown,
      ['No such customer'],
      'conforms',
    ],
    ['a text that known customers see as well', shown, ['Business'], 'not_proven'],
    [
      'a text, and the frame of each sidebar',
      {
        data: ({ id }) => {
          const own = find(id) ? full(find(id)!).components : [text('Result', 'No such customer')]
          return json(
            show(...own, text('Hotline', '+49 30 1'), text('Hours', '8-17'), text('Seen', id)),
          )
        },
      },
      undefined,
      'conforms',
    ],
    [
      'most of the components of a known one',
      {
        data: ({ id }) => {
          const { components, ...rest } = full(find(id) ?? FABRIKAM)
          return json({ ...rest, components: find(id) ? components : components.slice(2) })
        },
      },
      undefined,
      'not_proven',
    ],
    [
      'other components, but an operator gets those of a known one',
      { data: ({ id, params }) => respond(params.has('account_id[$ne]') ? FABRIKAM : find(id)) },
      undefined,
      'not_proven',
    ],
    ['no text that says so', shown, ['No subscription'], 'violates'],
    ['other components, and no text that says so', {}, ['No subscription'], 'violates'],
  ])('gets %s', async (_what, parts, shows, verdict) => {
    const report = await checkParts(parts, shows && { unknown: { shows } })
    expect(report.verdict).toBe(verdict)
    const { status } = report.results.find(({ rule }) => rule === 'security-unknown') ?? {}
    expect(status).toBe({ conforms: 'pass', violates: 'fail', not_proven: 'skip' }[verdict])
  })
})

describe('a check with an ID that is a word', () => {
  const [first, second] = [
    { shows: ['Northwind Traders'], id: '' },
    { shows: ['Lumen Optics'], id: 'globex' },
  ] as const
  /** Shows a page with the words of an app, and a card with a word for other customers. */
  const page = (id: string, more = ''): Parts => ({
    data: ({ params }) => {
      const account = params.get('account_id')
      if (account !== id && account !== second.id) {
        return json(show(text('Result', 'No customer matches the account ID')))
      }
      const [name] = account === id ? first.shows : second.shows
      const plan = account === id ? 'Team' : 'Starter plan'
      return json(
        show(text('Name', name), text('Plan', plan), text('Orders', 'Business'), text('Id', more)),
      )
    },
  })
  const customersWith = (id: string) =>
    [first, second].map((each) => ({ ids: { account_id: each.id || id }, shows: [...each.shows] }))

  it.each(['customer', 'business', 'starter-plan', 'orders', 'account'])(
    'fails no rule, and its report stays readable: %s',
    async (id) => {
      const report = await checkParts(page(id), { customers: customersWith(id) })
      expect(report.results.filter(({ status }) => status === 'fail')).toEqual([])
      expect(JSON.stringify(report.results)).not.toContain('made-up [hidden]')
    },
  )

  it.each(['business', 'starter-plan'])('is not proven, and says why: %s', async (id) => {
    const report = await checkParts(page(id), { customers: customersWith(id) })
    const { status, reason } = report.results.find(({ rule }) => rule === 'security-isolation')!
    expect(status).toBe('skip')
    expect(reason).toMatch(/contains the account_id of customer 1, which may be a word of the page/)
  })

  it('finds the ID if it leaks', async () => {
    const report = await checkParts(page('northwind', 'northwind'), {
      customers: customersWith('northwind'),
    })
    const { status } = report.results.find(({ rule }) => rule === 'security-isolation')!
    expect(status).toBe('fail')
  })

  it.each([
    '{{account_id}}',
    '{account_id}',
    ':account_id',
    'account_id',
    '$ACCOUNT',
    '<your-id>',
    'acc_${id}',
    '%ACCOUNT%',
    'undefined',
    'acc_undefined',
    '[object Object]',
  ])('sends nothing if a tool did not replace a variable: %s', async (id) => {
    let sent = 0
    const authorized = () => (sent += 1) > 0
    const customers = [{ ids: { account_id: id } }]
    await expect(checkParts({ authorized }, { customers })).rejects.toMatchObject({
      code: 'invalid_options',
      message: `check: customers[0].ids.account_id is ${JSON.stringify(id)}, a variable that was not replaced. Pass an ID.`,
    })
    expect(sent).toBe(0)
  })
})
