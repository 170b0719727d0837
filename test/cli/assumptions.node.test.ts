import { describe, expect, test } from 'vitest'
import { button } from 'sidecard'
import {
  CANARIES,
  decide,
  FETCH,
  IDS,
  recordTunnel,
  resultOf,
  type Service,
  VERIFY,
} from './assumptions-traffic.ts'

const query = (...ids: readonly (readonly [string, string])[]) =>
  new URLSearchParams([['request_type', 'fetch_data'], ...ids] as string[][])

const fails = { fetchData: () => Promise.reject(new Error('down')), errors: 'status' as const }
const LINK = '/actions?token=canary-token-of-an-action'
const links = {
  fetchData: () => [button({ label: 'Refund', url: `https://${CANARIES.host}${LINK}` })],
}
const BROWSER = { 'user-agent': 'Mozilla', 'sec-fetch-mode': 'navigate', 'sec-fetch-user': '?1' }

type Row = readonly [
  id: string,
  status: 'holds' | 'does_not_hold' | 'skipped',
  what: string,
  play: (service: Service) => Promise<void>,
  text: string,
  options?: Parameters<typeof recordTunnel>[1],
]

const both = async ({ send }: Service) => {
  await send(VERIFY)
  await send(FETCH)
}

const ROWS: readonly Row[] = [
  [
    'A4',
    'holds',
    'an empty and an absent ID',
    async ({ send }) => {
      await send(FETCH)
      await send(query(['account_id', ''], ['app_id', 'app_1']))
    },
    'account_id: absent in 0 of 2, empty in 1',
  ],
  [
    'A4',
    'does_not_hold',
    'an ID twice',
    ({ send }) => send(query(...IDS, ['account_id', 'acc_2'])),
    'account_id was sent more than once in 1 of 1',
  ],
  [
    'A4',
    'does_not_hold',
    'the text null',
    ({ send }) => send(query(['account_id', 'null'])),
    'account_id was sent as the text null',
  ],
  [
    'A4',
    'does_not_hold',
    'another spelling',
    ({ send }) => send(query(['accountId', 'acc_2'])),
    'account_id was sent with another spelling: accountId',
  ],
  ['A4', 'skipped', 'only a handshake', ({ send }) => send(VERIFY), 'no data fetch'],
  [
    'A4',
    'skipped',
    'a data fetch without the secret',
    ({ send }) => send(FETCH, { headers: {} }),
    'no data fetch',
  ],
  [
    'A5',
    'holds',
    'no repetition of a failure',
    async ({ send, pass }) => {
      await send(FETCH)
      pass(60_000)
      await send(query(['account_id', 'acc_2']))
    },
    'not sent again within 10 seconds: 1 failed data fetch',
    fails,
  ],
  [
    'A5',
    'does_not_hold',
    'a repetition after 2 seconds',
    async ({ send, pass }) => {
      await send(FETCH)
      pass(2_000)
      await send(FETCH)
    },
    'sent again within 10 seconds: 1 of 2 failed data fetches',
    fails,
  ],
  [
    'A5',
    'skipped',
    'no failure',
    async ({ send, pass }) => {
      await send(FETCH)
      pass(60_000)
      await send(FETCH)
    },
    'no data fetch got an error status',
  ],
  [
    'A5',
    'skipped',
    'an end right after the failure',
    ({ send }) => send(FETCH),
    'ends less than 10 seconds after',
    fails,
  ],
  [
    'A6',
    'holds',
    'the documented requests',
    both,
    'with the documented form: 1 handshake and 1 data fetch',
  ],
  [
    'A6',
    'does_not_hold',
    'two request types',
    async ({ send }) => {
      await send(VERIFY)
      await send(`request_type=fetch_data&${FETCH}`)
    },
    'with more than one request_type: 1 request',
  ],
  [
    'A6',
    'does_not_hold',
    'a long code',
    ({ send }) => send(`request_type=verify&code=${'c'.repeat(513)}`),
    'with a code of more than 512 characters: 1 handshake',
  ],
  [
    'A6',
    'does_not_hold',
    'no code',
    ({ send }) => send('request_type=verify'),
    'without a code: 1 handshake',
  ],
  [
    'A6',
    'does_not_hold',
    'two codes',
    ({ send }) => send('request_type=verify&code=a&code=b'),
    'with more than one code: 1 handshake',
  ],
  [
    'A6',
    'does_not_hold',
    'an unknown request type with the secret',
    async ({ send }) => {
      await both({ send } as Service)
      await send('request_type=ping')
    },
    'with an unknown request_type: 1 request',
  ],
  [
    'A6',
    'holds',
    'a visitor without the secret',
    async ({ send }) => {
      await both({ send } as Service)
      await send('', { headers: { 'user-agent': 'Mozilla' } })
    },
    'with the documented form: 1 handshake and 1 data fetch',
  ],
  ['A6', 'skipped', 'only a data fetch', ({ send }) => send(FETCH), 'no handshake'],
  [
    'A7',
    'holds',
    'a response after 5.2 seconds',
    ({ waitFor }) => waitFor(5_200),
    'waited up to 5,200 ms',
  ],
  [
    'A7',
    'holds',
    'an abort after 6 seconds',
    ({ abort }) => abort(6_000),
    'after 6,000 to 6,000 ms',
  ],
  [
    'A7',
    'does_not_hold',
    'two aborts after 3 seconds',
    async ({ abort }) => {
      await abort(3_000)
      await abort(3_100)
    },
    'closed without waiting for the response: 2 connections, after 3,000 to 3,100 ms',
  ],
  ['A7', 'skipped', 'one abort', ({ abort }) => abort(3_000), 'an agent who left'],
  ['A7', 'skipped', 'fast responses', both, 'no response took 5 seconds'],
  ['A16', 'holds', 'only the documented parameters', both, 'user-agent'],
  [
    'A16',
    'does_not_hold',
    'a parameter with the agent',
    ({ send }) => send(query(...IDS, ['agent_id', 'agt_canary'])),
    'named after an agent: agent_id',
  ],
  [
    'A16',
    'does_not_hold',
    'a header with the agent',
    ({ send }) =>
      send(FETCH, { headers: { 'x-key': CANARIES.secret, 'x-agent-email': CANARIES.email } }),
    'x-agent-email',
  ],
  [
    'A16',
    'skipped',
    'an unknown parameter',
    ({ send }) => send(query(...IDS, ['locale', 'de'])),
    'only you can see whether one of these parameters identifies the agent: locale',
  ],
  ['A16', 'skipped', 'no data fetch', ({ send }) => send(VERIFY), 'no data fetch'],
  [
    'A17',
    'holds',
    'an agent who opens the link',
    async ({ send }) => {
      await send(FETCH)
      await send('', { path: LINK, headers: BROWSER })
    },
    'the longest opened link has',
    links,
  ],
  [
    'A17',
    'does_not_hold',
    'a program that opens the link',
    async ({ send }) => {
      await send(FETCH)
      await send('', { path: LINK, method: 'HEAD' })
    },
    'methods: HEAD',
    links,
  ],
  [
    'A17',
    'does_not_hold',
    'a browser that prefetches it',
    async ({ send }) => {
      await send(FETCH)
      await send('', { path: LINK, headers: { ...BROWSER, 'sec-purpose': 'prefetch' } })
    },
    '1 of them not from a browser page',
    links,
  ],
  [
    'A17',
    'does_not_hold',
    'a link that was cut',
    async ({ send }) => {
      await send(FETCH)
      await send('', { path: LINK.slice(0, -5), headers: BROWSER })
    },
    'cut: 1 link',
    links,
  ],
  [
    'A17',
    'skipped',
    'a link that no request opened',
    ({ send }) => send(FETCH),
    'no link was opened',
    links,
  ],
  [
    'A17',
    'skipped',
    'a payload without links',
    ({ send }) => send(FETCH),
    'no payload contains a link',
    { fetchData: () => [] },
  ],
]

describe.each([true, false])(
  'requests through a tunnel, exported with anonymize: %s',
  (anonymize) => {
    test.each(ROWS.map((row) => [...row.slice(0, 3), row] as const))(
      '%s %s for %s',
      async (...[, , , row]) => {
        const [id, status, , play, text, options] = row as Row
        const report = await decide(await recordTunnel(play, { anonymize, ...options }))
        const result = resultOf(report, id)
        expect(result).toEqual({ status, text: expect.stringContaining(text) })
        for (const value of [...Object.values(CANARIES), 'canary', '127.0.0.1']) {
          expect(report.text).not.toContain(value)
        }
      },
    )
  },
)
