import { text } from 'sidecard'
import { type ActionContext, trustedHeader } from 'sidecard/actions'
import { expect, test } from 'vitest'
import {
  createActionApp,
  createExtendTrial,
  localPath,
  readLinks,
  readPage,
  send,
} from '../../helpers/actions.ts'

const NAME = 'x-auth-request-email'

async function open(options: object, headers: Record<string, string>) {
  const show = (ctx: ActionContext<any>) =>
    text({ label: 'Groups', value: `Value: ${ctx.agent?.groups.join('|')}.` })
  const signIn = trustedHeader(NAME, options)
  const app = createActionApp(createExtendTrial({ show }), { signIn })
  const [link] = await readLinks(app)
  return readPage(await send(app, localPath(link!), { headers }))
}

test.each([
  ['several', 'leads, staff,,  night shift ', 'leads|staff|night shift'],
  ['one', 'leads', 'leads'],
  ['none', ' , ', ''],
])('a second header has the groups: %s', async (_name, value, expected) => {
  const options = { groupsHeader: 'x-auth-request-groups' }
  const headers = { [NAME]: 'robin@acme.example', 'x-auth-request-groups': value }
  const page = await open(options, headers)
  expect(page.html).toContain(`Value: ${expected}.<`)
  // Without the option, the header says nothing.
  expect(await open({}, headers)).toMatchObject({ status: 403 })
})

test.each([
  ['no agent', { 'x-auth-request-groups': 'leads' }],
  ['an empty agent', { [NAME]: ' ' }],
  ['two agents', { [NAME]: 'robin@acme.example, ceo@acme.example' }],
] as [string, Record<string, string>][])('a request with %s is denied', async (_name, headers) => {
  const page = await open({ groupsHeader: 'x-auth-request-groups' }, headers)
  expect(page).toMatchObject({ status: 403, outcome: 'forbidden' })
})

test('a name in UTF-8 is read as the proxy wrote it', async () => {
  const latin1 = Buffer.from('jürgen@acme.example').toString('latin1')
  const page = await open({ groupsHeader: 'x-groups' }, { [NAME]: latin1, 'x-groups': 'a' })
  expect(page.html).toContain('Signed in as jürgen@acme.example')
  const invalid = await open({ groupsHeader: 'x-groups' }, { [NAME]: 'j\xfcrgen', 'x-groups': 'a' })
  expect(invalid.html).toContain('Signed in as jürgen')
})

test('an invalid name is an error', () => {
  expect(() => trustedHeader('two words')).toThrow('trustedHeader: the first argument')
  expect(() => trustedHeader(NAME, { groupsHeader: 'two words' })).toThrow('groupsHeader must be')
  expect(() => trustedHeader(NAME, { separator: '' })).toThrow('separator must be')
})
