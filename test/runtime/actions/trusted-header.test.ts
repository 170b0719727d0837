import { text } from 'sidecard'
import { type ActionContext, trustedHeader } from 'sidecard/actions'
import { expect, test } from 'vitest'
import { createDesk } from '../../helpers/desk.ts'

const NAME = 'x-auth-request-email'
const GROUPS = 'x-auth-request-groups'
const groupsHeader = GROUPS

async function open(options: object, headers: Record<string, string>) {
  const show = ({ agent }: ActionContext<any>) => [
    text({ label: 'Groups', value: `Value: ${agent?.groups.join('|')}.` }),
    text({ label: 'ID', value: `ID: ${agent?.id} ${agent?.email}` }),
  ]
  const desk = createDesk({ show }, { signIn: trustedHeader(NAME, options) })
  return { ...(await desk.show(await desk.newLink(), { headers })), log: desk.log() }
}

test.each([
  ['several', 'leads, staff,,  night shift ', 'leads|staff|night shift'],
  ['one', 'leads', 'leads'],
  ['none', ' , ', ''],
])('a second header has the groups: %s', async (_name, value, expected) => {
  const headers = { [NAME]: 'robin@acme.example', [GROUPS]: value }
  const page = await open({ groupsHeader }, headers)
  expect(page.html).toContain(`Value: ${expected}.<`)
  expect(page.html).toContain('ID: robin@acme.example robin@acme.example<')
  expect(page.response.headers.get('content-security-policy')).toContain("form-action 'self';")
  // Without the option, the header says nothing.
  expect(await open({}, headers)).toMatchObject({ status: 403 })
})

test.each([
  ['no agent', { [GROUPS]: 'leads' }, 'The header that the proxy sets is missing.'],
  ['an empty agent', { [NAME]: ' ' }, ''],
  ['two agents', { [NAME]: 'robin@acme.example, ceo@acme.example' }, ''],
] as [string, Record<string, string>, string][])(
  'a request with %s is denied',
  async (_name, headers, reason) => {
    const page = await open({ groupsHeader }, headers)
    expect(page).toMatchObject({ status: 403, outcome: 'forbidden' })
    expect(page.log).toContain(reason)
  },
)

test('an agent gets the name that the proxy wrote in UTF-8, and an email address only if it has an @', async () => {
  const latin1 = Buffer.from('jürgen@acme.example').toString('latin1')
  const page = await open({ groupsHeader }, { [NAME]: latin1, [GROUPS]: 'a' })
  expect(page.html).toContain('Signed in as jürgen@acme.example')
  const invalid = await open({ groupsHeader }, { [NAME]: 'j\xfcrgen', [GROUPS]: 'a' })
  expect(invalid.html).toContain('Signed in as jürgen')
  expect(invalid.html).toContain('ID: jürgen undefined<')
})

test.each<[string, string, object]>([
  [
    'the first argument must be a header name without spaces and colons, such as "x-auth-request-email".',
    'x email',
    {},
  ],
  ['groupsHeader must be the name of a header.', NAME, { groupsHeader: 'x groups' }],
  ['separator must be', NAME, { separator: '' }],
  ...['accounts.google.com', 'https://a.example/', 'https://a.example/x', 7, ''].map(
    (origin): [string, string, object] => [
      'signInOrigins must be an array of origins',
      NAME,
      { signInOrigins: [origin] },
    ],
  ),
])('trustedHeader() says that %s', (message, name, options) => {
  expect(() => trustedHeader(name, options)).toThrow(`trustedHeader: ${message}`)
})

test('trustedHeader() keeps the sign-in origins that it gets', () => {
  const signInOrigins = ['https://accounts.google.com', 'http://localhost:4180']
  expect(trustedHeader(NAME, { signInOrigins }).signInOrigins).toEqual(signInOrigins)
})
