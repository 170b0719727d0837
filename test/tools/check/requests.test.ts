import { describe, expect, it } from 'vitest'
import { check } from 'sidecard/check'
import type { CheckOptions } from 'sidecard/check'
import { SPECIAL_TEXTS } from '../../../src/tools/check/probes/dimensions.ts'
import { HEADERS } from '../../fixtures/endpoints/reference.ts'
import { checkInProcess, inProcess, json, payload } from './in-process.ts'

/** Returns name, status and query of each request. Made-up values are numbered in the order of this list. */
async function requests(options: CheckOptions): Promise<readonly string[]> {
  const { exchanges = [] } = await checkInProcess({}, { details: true, ...options })
  const seen: string[] = []
  return exchanges.map(({ name, status, curl }) => {
    const query =
      /http:\/\/sidecard\.test\/\??(.*)$/.exec(curl.replaceAll(/['"]/g, ''))?.[1] ?? curl
    const numbered = query.replaceAll(/tok\d{9}/gi, (token) => {
      if (!seen.includes(token.toLowerCase())) seen.push(token.toLowerCase())
      return `<${seen.indexOf(token.toLowerCase()) + 1}>`
    })
    return `${name} | ${status} | ${numbered.replace(/code=0\d{12}$/, 'code=0<digits>')}`
  })
}

const OWN_ID = /<\d+>-(?:issue|organization|account|requester)/g

const APP = 'app_id=sidecard-check-app&widget_id=sidecard-check-widget'

/** The IDs of a customer, by the numbers of its issue, organization, account and requester. */
const account = (organization: number, id: number) =>
  `organization_id=<${organization}>-organization&account_id=<${id}>-account`
const requester = (id: number) =>
  `requester_id=<${id}>-requester&requester_email=<${id}>%40<${id}>.example.com`
const fetchData = (issue: number, organization: number, owner: number, by: number) =>
  `request_type=fetch_data&${APP}&issue_id=<${issue}>-issue&${account(organization, owner)}&${requester(by)}`

/** Requests without the secret that the service never sends, with the start and the end of their query. */
const UNUSUAL = [
  ['with a different kind of credentials', '', ''],
  ['that claims a different method', '', ''],
  ['from a browser', '', ''],
  ['after a handshake', 'request_type=verify&code=sidecard-check&', ''],
  ['before a handshake', '', '&request_type=verify&code=sidecard-check'],
  ['after an unknown request_type', 'request_type=ping&', ''],
  ['before an unknown request_type', '', '&request_type=ping'],
  [
    'with further parameters',
    '',
    '&code=1&callback=1&debug=1&preview=1&test=1&admin=1&token=1&key=1&secret=1',
  ],
  ['with a request_type in capital letters', 'FETCH_DATA', ''],
  ['with an encoded request_type', 'fetch%5Fdata', ''],
] as const

const WITHOUT_SECRET = [
  'without the headers',
  'with empty headers',
  'that claims to come from the same machine',
  ...UNUSUAL.map(([name]) => `without the headers, ${name}`),
  'with a wrong value',
  ...['at the start', 'in the middle', 'at the end'].flatMap((place) => [
    `with another character ${place}`,
    `without a character ${place}`,
    `with an added character ${place}`,
  ]),
  'with only the first half',
  'with only the second half',
  'in another letter case',
  'with a letter that is not ASCII',
  'with a condition of SQL',
  'with a pattern of SQL',
  'with a wildcard',
  'with a regular expression',
  'in reverse',
  'with a long value',
  'with the value changeme',
  'with surrounding whitespace',
  'with surrounding whitespace in UTF-8',
]

/** Those that are also sent as handshakes. */
const HANDSHAKES = WITHOUT_SECRET.filter(
  (how) => !/, |ASCII|SQL|wildcard|regular|space|reverse|long|the value/.test(how),
)

describe('a check sends', () => {
  it('every kind of request', async () => {
    const sent = await requests({ samples: 4 })
    expect(sent.slice(0, 12)).toEqual(
      [
        ['1', '<1>'],
        ['2', 'Hs<2>x<2><2><2><2>t'],
        ['3', '0<digits>'],
        ['4', '<3>-tok000.k000000_~A'],
        ['with a plus sign', '<4>%2Bplus%2Bx'],
        ['with a percent sign', '<5>%25zz-100%25'],
        ['with a percent escape', '<6>%2541%252Bz'],
        ['with an ampersand and an equals sign', '<7>%26a%3Db%26code%3Dx'],
        ['with a space and a number sign', '<8>%20a%23b'],
        ['with surrounding spaces', '%20<9>%20'],
        ['with non-ASCII letters', '<10>-%C3%A9-%D0%B6-%E6%BC%A2-%F0%9F%99%82'],
        ['with a quotation mark and a backslash', '<11>%22q%5Cn%27%3Cb%3E'],
      ].map(([name, code]) => `handshake ${name} | 200 | request_type=verify&code=${code}`),
    )
    const data = fetchData(12, 13, 14, 15)
    const unusual = fetchData(32, 33, 34, 35)
    // A different test covers the texts of the table.
    const isSpecial = (line: string) =>
      SPECIAL_TEXTS.some(({ contains }) => line.startsWith(`data fetch with ${contains} in the `))
    const usual = sent.filter((line) => !isSpecial(line))
    expect(sent.length - usual.length).toBe(2 * SPECIAL_TEXTS.length)
    expect(usual.slice(12, 27)).toEqual(
      [
        ['1', data],
        ['2', data],
        ['3', data],
        ['4', data],
        // Two unrelated customers, and one each with the account, the requester and the organization
        // of the first.
        ['for made-up customer 1', fetchData(16, 17, 18, 19)],
        ['for made-up customer 2', fetchData(20, 21, 22, 23)],
        ['for made-up customer 3', fetchData(24, 17, 18, 25)],
        ['for made-up customer 4', fetchData(26, 27, 28, 19)],
        ['for made-up customer 5', fetchData(29, 17, 30, 31)],
        ['without IDs', 'request_type=fetch_data'],
        [
          'with empty IDs',
          'request_type=fetch_data&app_id=&widget_id=&issue_id=&organization_id=&account_id=&requester_id=&requester_email=',
        ],
        [
          'with special characters in the email',
          unusual.replace('<35>%40<35>.', 'o%27<35>e%2Bb%26b%3Dc%2520%40'),
        ],
        [
          'with a plus sign and capital letters in the email',
          unusual.replace('<35>%40<35>.example.com', '<35>e.Ann%2BBilling%40Example.COM'),
        ],
        [
          'with non-ASCII letters in the IDs',
          unusual.replaceAll(OWN_ID, '$&-%C3%A9-%D0%B6-%E6%BC%A2-%F0%9F%99%82'),
        ],
        ['with long IDs', unusual.replaceAll(OWN_ID, `$&-${'0123456789'.repeat(20)}`)],
      ].map(([name, query]) => `data fetch ${name} | 200 | ${query}`),
    )
    const rest = usual.slice(27)
    expect(rest.slice(0, 5)).toEqual(
      [
        ['with an extra header', data],
        ['with an extra parameter', `${data}&sidecard_check=1`],
        [
          'with the parameters in another order',
          [...data.split('&').slice(1).toReversed(), 'request_type=fetch_data'].join('&'),
        ],
        ['without an issue', `request_type=fetch_data&${APP}&${account(13, 14)}&${requester(15)}`],
        ['without a requester', `request_type=fetch_data&${APP}&${account(13, 14)}`],
      ].map(([name, query]) => `data fetch ${name} | 200 | ${query}`),
    )
    expect(rest.slice(5, 17)).toEqual([
      'request without a request_type | 400 | ',
      'request with an unknown request_type | 400 | request_type=sidecard_check',
      'handshake without a code | 400 | request_type=verify',
      'handshake with an empty code | 400 | request_type=verify&code=',
      'handshake with two codes | 200 | request_type=verify&code=one&code=two',
      'data fetch with an operator | 200 | request_type=fetch_data&account_id[$ne]=x',
      'data fetch with two accounts | 200 | request_type=fetch_data&account_id=x&account_id=y',
      'data fetch with a blank account | 200 | request_type=fetch_data&account_id=+',
      'data fetch with a zero byte | 200 | request_type=fetch_data&account_id=%00',
      'data fetch with a broken email | 200 | request_type=fetch_data&requester_email=sidecard',
      'data fetch with invalid percent-encoding | 200 | request_type=fetch_data&account_id=%E0%A4%A',
      'handshake with invalid percent-encoding | 200 | request_type=verify&code=%E0%A4%A',
    ])
    // Each text that may be replaced follows a new word in each of the five IDs.
    const tokens = 36 + 5 * SPECIAL_TEXTS.filter(({ isReplaced }) => isReplaced).length
    const named = data
      .split('&')
      .slice(3)
      .map((pair) => [pair.split('=')[0], pair] as const)
    expect(rest.slice(17)).toEqual([
      ...HANDSHAKES.map(
        (how, index) => `handshake ${how} | 401 | request_type=verify&code=<${tokens + index}>`,
      ),
      `data fetch ${WITHOUT_SECRET[0]} | 401 | ${data}`,
      ...named.map(
        ([name, query]) =>
          `data fetch with only the ${name} ${WITHOUT_SECRET[0]} | 401 | request_type=fetch_data&${query}`,
      ),
      ...WITHOUT_SECRET.slice(1).map((how) => {
        const [, start, end] = UNUSUAL.find(([name]) => how.endsWith(name)) ?? ['', '', '']
        const query =
          start === '' || start.endsWith('&')
            ? `${start}${data}`
            : data.replace('fetch_data', start)
        return `data fetch ${how} | 401 | ${query}${end}`
      }),
      `data fetch after the wrong secrets | 200 | ${data}`,
      'request without a request_type, with an extra header | 400 | ',
      ...Array<string>(4).fill(`data fetch for customer 1 from a page | 200 | ${data}`),
      `final handshake | 200 | request_type=verify&code=<${tokens + HANDSHAKES.length}>`,
    ])
  })

  it('only the well-formed ones of them in production', async () => {
    const names = (sent: readonly string[]) => sent.map((line) => line.split(' | ')[0] ?? '')
    const full = names(await requests({ samples: 2 }))
    const production = names(await requests({ samples: 2, profile: 'production' }))
    expect(full.filter((name) => !production.includes(name))).toEqual([
      'request without a request_type',
      'request with an unknown request_type',
      'handshake without a code',
      'handshake with an empty code',
      'handshake with two codes',
      'data fetch with an operator',
      'data fetch with two accounts',
      'data fetch with a blank account',
      'data fetch with a zero byte',
      'data fetch with a broken email',
      'data fetch with invalid percent-encoding',
      'handshake with invalid percent-encoding',
      'data fetch without the headers, after a handshake',
      'data fetch without the headers, before a handshake',
      'data fetch without the headers, after an unknown request_type',
      'data fetch without the headers, before an unknown request_type',
      'data fetch without the headers, with further parameters',
      'data fetch without the headers, with a request_type in capital letters',
      'data fetch without the headers, with an encoded request_type',
      'request without a request_type, with an extra header',
    ])
    expect(production.filter((name) => !full.includes(name))).toEqual([])
  })

  it('the passed IDs of the app and the widget for made-up customers as well', async () => {
    const urls: string[] = []
    const target = inProcess()
    const fetch = (request: Request) => {
      urls.push(request.url)
      return target.fetch(request)
    }
    await check(
      { fetch },
      { headers: HEADERS, customers: [{ ids: { app_id: 'a-1', widget_id: 'w-1' } }] },
    )
    const known = urls.filter((url) => /[?&]app_id=a-1&widget_id=w-1&issue_id=\w/.test(url))
    // All with an issue: five samples, six made-up customers, the unusual ones, and those without the secret.
    expect(known).toHaveLength(18 + 2 * SPECIAL_TEXTS.length + WITHOUT_SECRET.length)
  })

  it('one request more if the first of its kind got no response, and then stops', async () => {
    const fails = () => {
      throw new Error('no')
    }
    const options: CheckOptions = { details: true }
    const none = await checkInProcess({ verify: fails, data: fails }, options)
    expect(none.exchanges?.map(({ name }) => name)).toEqual([
      'handshake 1',
      'handshake 2',
      'data fetch 1',
      'data fetch 2',
    ])
    const data = await checkInProcess({ data: fails }, options)
    expect(data.exchanges?.filter(({ name }) => /^data fetch \d/.test(name))).toHaveLength(2)
    expect(data.exchanges?.filter(({ name }) => /^handshake \d/.test(name))).toHaveLength(5)
  })
})

describe('the progress of a check', () => {
  it.each<readonly [CheckOptions, readonly string[]]>([
    [
      {},
      [
        'sending the first requests',
        'testing handshakes and data fetches',
        'testing authentication and connections',
        'sending invalid requests',
      ],
    ],
    [
      { profile: 'production' },
      [
        'sending the first requests',
        'testing handshakes and data fetches',
        'testing authentication and connections',
        'testing parameters',
      ],
    ],
  ])('has steps, and counts each response once: %j', async (options, expected) => {
    const steps: string[] = []
    const counts: number[] = []
    const { requests: total } = await checkInProcess(
      {},
      {
        ...options,
        onProgress({ step, requests: count }) {
          if (steps.at(-1) !== step) steps.push(step)
          else counts.push(count)
        },
      },
    )
    expect(steps).toEqual(expected)
    expect(counts).toEqual(Array.from({ length: total }, (_, index) => index + 1))
  })
})

describe('the number of concurrent requests', () => {
  /** Counts the requests that an endpoint has at the same time. The first two respond on a clock. */
  async function measure(options: CheckOptions, firstMs: number) {
    let active = 0
    let most = 0
    let clock = 0
    let count = 0
    const target = inProcess()
    const fetch = async (request: Request) => {
      active += 1
      most = Math.max(most, active)
      if ((count += 1) === 1) clock += firstMs
      await new Promise((resolve) => void setImmediate(resolve))
      active -= 1
      return target.fetch(request)
    }
    const report = await check({ fetch }, { headers: HEADERS, now: () => clock, ...options })
    return { most, verdict: report.verdict }
  }

  it.each<readonly [string, CheckOptions, number, number]>([
    ['is eight', {}, 0, 8],
    ['is eight for an endpoint that takes just under a quarter of a second', {}, 249, 8],
    ['is twenty for a slower one', { samples: 9 }, 250, 20],
    ['is two in production', { profile: 'production' }, 250, 2],
  ])('%s', async (_name, options, firstMs, most) => {
    expect(await measure(options, firstMs)).toEqual({ most, verdict: 'not_proven' })
  })
})

describe('the record of a request', () => {
  it('is a cURL command with variables for secrets, for parameters of the URL and for passed IDs', async () => {
    const { exchanges = [] } = await check('http://127.0.0.1/a$b`?to%22ken=1&x', {
      headers: { 'x-key': 'Secret-1', 'x-a$b': 'blue' },
      customers: [{ ids: { account_id: 'acme & co', issue_id: 'is Secret-1', widget_id: '%zz' } }],
      fetch: async (request) => inProcess({ authorized: () => true }).fetch(request),
      randomToken: () => 'tok',
      profile: 'production',
      samples: 1,
      details: true,
    })
    const names = ['handshake 1', 'data fetch 1', 'final handshake']
    const shown = exchanges.filter(({ name }) => names.includes(name))
    const start = `curl --include --globoff -H 'x-key: '"$X_KEY" -H 'x-a$b: '"$X_A_B" 'http://127.0.0.1/a$b%60?to%22ken='"$TO_KEN"'&x='"$X"'`
    expect(shown.map(({ curl }) => curl)).toEqual([
      `${start}&request_type=verify&code=tok'`,
      `${start}&request_type=fetch_data&app_id=sidecard-check-app&widget_id='"$WIDGET_ID"'&issue_id='"$ISSUE_ID"'&organization_id=tok-organization&account_id='"$ACCOUNT_ID"'&requester_id=tok-requester&requester_email=tok%40tok.example.com'`,
      `${start}&request_type=verify&code=tok'`,
    ])
  })

  it('has no question mark without a query', async () => {
    const { exchanges = [] } = await checkInProcess({}, { details: true, samples: 1 })
    const bare = exchanges.find(({ name }) => name === 'request without a request_type')
    expect(bare?.curl).toBe(`curl --include --globoff -H 'x-key: '"$X_KEY" 'http://sidecard.test/'`)
  })

  it('has the status or the failure, and the time', async () => {
    let clock = 0
    const { exchanges } = await checkInProcess(
      {
        verify: () => {
          throw new Error('no')
        },
        data: (received) => {
          clock += 12.4
          return json(payload(received), 202)
        },
      },
      { details: true, profile: 'production', samples: 1, now: () => clock },
    )
    const shown = ['handshake 1', 'handshake 2', 'data fetch 1']
    const records = exchanges?.filter(({ name }) => shown.includes(name))
    expect(records?.map(({ curl: _curl, ...rest }) => rest)).toEqual([
      {
        name: 'handshake 1',
        durationMs: 12,
        failure: 'the app threw instead of returning a response (it threw Error)',
      },
      {
        name: 'handshake 2',
        durationMs: expect.any(Number),
        failure: 'the app threw instead of returning a response (it threw Error)',
      },
      { name: 'data fetch 1', status: 202, durationMs: 12 },
    ])
  })

  it('exists only with the option details', async () => {
    expect(await checkInProcess()).not.toHaveProperty('exchanges')
    expect(await checkInProcess()).not.toHaveProperty('payload')
  })
})
