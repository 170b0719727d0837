import { expect, test } from 'vitest'
import { parseProject } from '../../../src/tools/project/parse-project.ts'
import { readProject } from '../../../src/tools/project/project.ts'
import { isSidecardError } from '../../../src/runtime/internal/errors.ts'

const acme = { ids: { account_id: 'acc_1' }, shows: ['Acme Rockets'] }
const globex = { ids: { account_id: 'acc_2' }, shows: ['Globex'] }

/** Formats as editors do, so that each property has its own line. */
function parse(value: unknown, local?: unknown) {
  const file = { 'sidecard.json': JSON.stringify(value, null, 2) }
  if (local === undefined) return parseProject(file)
  return parseProject({ ...file, 'sidecard.local.json': JSON.stringify(local, null, 2) })
}

function catchMessage(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (isSidecardError(error) && error.code === 'invalid_project') return error.message
    throw error
  }
  throw new Error('The project was accepted.')
}

const complete = {
  $schema: './node_modules/sidecard/schema/config.json',
  template: 'node@0.1.0',
  apps: {
    billing: {
      url: 'http://localhost:8787',
      command: 'npm run server',
      headers: { 'x-sidecard-secret': 'env:SIDECARD_SECRET' },
      environments: {
        production: {
          url: 'https://billing.example.com/',
          headers: { 'x-sidecard-secret': 'env:PRODUCTION_SECRET' },
          customers: ['Acme'],
        },
      },
    },
  },
  customers: { Acme: acme, Globex: globex },
  states: {
    'Orders failed': { customer: 'Acme', ids: { issue_id: 'i1' }, sections: { Orders: 'failed' } },
    Nobody: { ids: { account_id: 'acc_nobody' } },
  },
}

test('reads apps, customers and states with their places', () => {
  const { apps, customers, states } = parse(complete)
  expect(apps).toEqual([
    {
      name: 'billing',
      url: 'http://localhost:8787/',
      command: 'npm run server',
      headers: { 'x-sidecard-secret': 'env:SIDECARD_SECRET' },
      place: 'sidecard.json:6',
    },
    {
      name: 'billing',
      environment: 'production',
      url: 'https://billing.example.com/',
      headers: { 'x-sidecard-secret': 'env:PRODUCTION_SECRET' },
      customers: ['Acme'],
      place: 'sidecard.json:13',
    },
  ])
  expect(customers.map(({ name, place }) => [name, place])).toEqual([
    ['Acme', 'sidecard.json:25'],
    ['Globex', 'sidecard.json:33'],
  ])
  expect(states[0]).toMatchObject({
    customer: 'Acme',
    ids: { account_id: 'acc_1', issue_id: 'i1' },
    sections: { Orders: 'failed' },
  })
  expect(states[1]).toMatchObject({ ids: { account_id: 'acc_nobody' }, sections: {} })
})

test('reads an imported file without places', () => {
  const project = readProject(complete)
  expect(project.customers.map(({ place }) => place)).toEqual(['sidecard.json', 'sidecard.json'])
  expect(catchMessage(() => readProject({ customer: {} }))).toBe(
    'sidecard.json: customer is not known. Did you mean "customers"?',
  )
})

test('an entry of sidecard.local.json replaces the entry of the same name', () => {
  const local = {
    customers: { Acme: { ids: { account_id: 'real' }, shows: ['Real text'] } },
    states: { Mine: { customer: 'Acme' } },
  }
  const { customers, states } = parse(complete, local)
  expect(customers.map(({ name, ids, place }) => [name, ids.account_id, place])).toEqual([
    ['Acme', 'real', 'sidecard.local.json:3'],
    ['Globex', 'acc_2', 'sidecard.json:33'],
  ])
  expect(states.map(({ name, ids, place }) => [name, ids.account_id, place])).toEqual([
    ['Orders failed', 'real', 'sidecard.json:43'],
    ['Nobody', 'acc_nobody', 'sidecard.json:52'],
    ['Mine', 'real', 'sidecard.local.json:13'],
  ])
})

test('a committed state may not name a customer that is not in git', () => {
  const state = { states: { Mine: { customer: 'Real' } } }
  const message = catchMessage(() => parse(state, { customers: { Real: acme } }))
  expect(message).toBe(
    'sidecard.json:4: states.Mine.customer is not a customer of sidecard.json. There are no customers.',
  )
})

test.each<[string, unknown, string]>([
  ['an array', [], '1: the file is invalid: expected object, received array.'],
  ['a misspelled list', { custmers: {} }, '2: custmers is not known. Did you mean "customers"?'],
  ['a list as an array', { apps: [] }, '2: apps is invalid: expected record, received array.'],
  [
    'an app without a URL',
    { apps: { a: {} } },
    '3: apps.a.url is invalid: expected string, received undefined.',
  ],
  [
    'a misspelled ID',
    { customers: { 'A B': { ids: { acount_id: 'secret' } } } },
    '5: customers["A B"].ids.acount_id is not known. Did you mean "account_id"?',
  ],
  [
    'an ID that is a number',
    { customers: { A: { ids: { account_id: 42 } } } },
    '5: customers.A.ids.account_id is invalid: expected string, received number.',
  ],
  [
    'a customer without IDs',
    { customers: { A: { ids: {} } } },
    '4: customers.A.ids contains no ID.',
  ],
  [
    'an unknown condition',
    { states: { A: { ids: { account_id: 'a' }, sections: { Orders: 'fail' } } } },
    '8: states.A.sections.Orders is invalid: expected one of "failed"|"timeout"|"empty".',
  ],
  [
    'an unknown customer',
    { customers: { Acme: acme }, states: { A: { customer: 'Acne' } } },
    '14: states.A.customer is not a customer of sidecard.json. Did you mean "Acme"?',
  ],
  [
    'an unknown customer of an environment',
    {
      apps: { a: { url: 'http://a', environments: { p: { url: 'http://p', customers: ['B'] } } } },
    },
    '9: apps.a.environments.p.customers[0] is not a customer of sidecard.json. There are no customers.',
  ],
  [
    'a text of two letters',
    { customers: { A: { ids: { account_id: 'a' }, shows: ['Al'] } } },
    '8: customers.A.shows[0] is too short. Use at least three letters or digits.',
  ],
  [
    'a text of spaces',
    { customers: { A: { ids: { account_id: 'a' }, shows: ['    '] } } },
    '8: customers.A.shows[0] is too short. Use at least three letters or digits.',
  ],
  [
    'a name that starts with a space',
    { customers: { ' A': acme } },
    '3: customers[" A"] has an invalid name. Use one line of at most 100 characters.',
  ],
  [
    'a URL with a password',
    { apps: { a: { url: 'http://user:hunter2@localhost' } } },
    '4: apps.a.url must be an http or https URL without a user name or fragment.',
  ],
  [
    'the same URL twice',
    { apps: { a: { url: 'http://localhost:1' }, b: { url: 'http://localhost:1/' } } },
    '7: apps.b.url is also the URL of a.',
  ],
  [
    'a header of two lines',
    { apps: { a: { url: 'http://a', headers: { 'x-a': 'hunter2\r\nx-b: 1' } } } },
    '6: apps.a.headers["x-a"] must be text on one line.',
  ],
  [
    'a header twice',
    { apps: { a: { url: 'http://a', headers: { 'x-a': '1', 'X-A': '2' } } } },
    '5: apps.a.headers has the same header twice, in different letter case.',
  ],
  [
    'a name that is no header',
    { apps: { a: { url: 'http://a', headers: { 'x a': '1' } } } },
    '6: apps.a.headers["x a"] is not a name that HTTP allows.',
  ],
  [
    'a command for a shell',
    { apps: { a: { url: 'http://a', command: 'a && b' } } },
    '5: apps.a.command must be a command without quotes or shell characters.',
  ],
])('rejects %s', (_what, value, expected) => {
  expect(catchMessage(() => parse(value))).toBe(`sidecard.json:${expected}`)
})

const shown = (first: string, second: string) => ({
  customers: {
    A: { ids: { account_id: 'a' }, shows: [first] },
    B: { ids: { account_id: 'b' }, shows: [second] },
  },
})

test.each([
  ['Acme', 'ACME Rockets'],
  ['acme  rockets', 'Acme Rockets Inc.'],
  ['Ａｃｍｅ', 'acme'],
  ['Straße', 'STRASSE 7'],
  ['東京', '東京電力'],
])('rejects %s, because another customer shows %s', (first, second) => {
  const message = catchMessage(() => parse(shown(first, second)))
  expect(message).toMatch(
    /^sidecard\.json:8: customers\.A\.shows\[0\] is contained in a text of "B"/,
  )
})

test.each([
  ['Ann', 'Annual report'],
  ['Acme Rockets', 'Acme Radios'],
  ['東京', '大阪'],
])('accepts %s next to %s', (first, second) => {
  expect(parse(shown(first, second)).customers).toHaveLength(2)
})

test('rejects two customers of one name in a file', () => {
  const twice = '{\n "customers": {\n  "A": { "ids": {} },\n  "A": { "ids": {} } } }'
  expect(catchMessage(() => parseProject({ 'sidecard.json': twice }))).toBe(
    'sidecard.json:4: customers.A is a duplicate, or is named __proto__. Rename it.',
  )
})

test('rejects a customer called __proto__', () => {
  const text = '{"customers":{"__proto__":{"ids":{"account_id":"a"}}}}'
  expect(catchMessage(() => parseProject({ 'sidecard.json': text }))).toMatch(
    /sidecard\.json:1: customers\.__proto__ is a duplicate, or is named __proto__/,
  )
})

test('accepts names of properties that every object has', () => {
  const names = ['constructor', 'toString', 'hasOwnProperty']
  const customers = Object.fromEntries(names.map((name) => [name, { ids: { account_id: name } }]))
  const project = parse({ customers, states: { valueOf: { customer: 'constructor' } } })
  expect(project.customers.map(({ name }) => name)).toEqual(names)
  expect(project.states[0]).toMatchObject({ name: 'valueOf', ids: { account_id: 'constructor' } })
  expect(catchMessage(() => parse({ states: { A: { customer: 'toString' } } }))).toContain(
    'is not a customer of sidecard.json',
  )
})

test('reads a file with a byte order mark', () => {
  const text = `\uFEFF${JSON.stringify(complete)}`
  expect(parseProject({ 'sidecard.json': text }).customers).toHaveLength(2)
})

test.each([
  ['{\n  "apps": {},\n}', /^sidecard\.json:3: the file is not valid JSON \(column 1/],
  ['{\n  // mine\n}', /^sidecard\.json:2: the file is not valid JSON/],
  ['', /^sidecard\.json:1: the file is not valid JSON/],
  [
    `{"x": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    /^sidecard\.json:1: the file is nested too deeply/,
  ],
  [`{"apps": {}, "x": "${'x'.repeat(1_000_000)}"}`, /more than a million characters/],
])('rejects a text that is not JSON or too large', (text, expected) => {
  expect(catchMessage(() => parseProject({ 'sidecard.json': text }))).toMatch(expected)
})

test('a large file with many similar texts is read within a second', () => {
  const customers = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `Customer ${index}`,
      {
        ids: { account_id: `acc_${index}` },
        shows: Array.from({ length: 10 }, (__, text) => `${'a '.repeat(45)}${index}x${text}`),
      },
    ]),
  )
  expect(parse({ customers }).customers).toHaveLength(20)
  expect(catchMessage(() => parse({ customers: { ...customers, more: acme } }))).toContain(
    'customers has more than 20 customers',
  )
}, 10_000)

test('no message contains the value of a header or an ID', () => {
  const secret = 'hunter2-4711'
  const values: unknown[] = [
    { apps: { a: { url: `http://x:${secret}@a` } } },
    { apps: { a: { url: secret } } },
    { apps: { a: { url: 'http://a', headers: { 'x-a': `${secret}\n` } } } },
    { apps: { a: { url: 'http://a', headers: { 'x-a': [secret] } } } },
    { apps: { a: { url: 'http://a', headers: secret } } },
    { customers: { A: { ids: secret } } },
    { customers: { A: { ids: [secret] } } },
    { customers: { A: { ids: { account_id: { secret } } } } },
    { states: { A: { ids: { account_id: 'a' }, sections: { Orders: secret } } } },
    { template: { [secret]: secret } },
  ]
  for (const value of values) expect(catchMessage(() => parse(value))).not.toContain(secret)
  const broken = `{"apps": {"a": {"headers": {"x-a": "${secret}" "b"}}}}`
  expect(catchMessage(() => parseProject({ 'sidecard.json': broken }))).not.toContain(secret)
})
