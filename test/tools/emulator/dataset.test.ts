import { describe, expect, test } from 'vitest'
import { createClient } from 'sidecard/client'
import { createEmulator, type EmulatorOptions } from 'sidecard/emulator'

/** Reads everything that a data set contains, through the API and the workspace. */
async function readDataset(dataset?: EmulatorOptions['dataset']) {
  const emulator = createEmulator({ dataset })
  const { users, teams, tags, userRoles, knowledgeBases, ticketForms } = createClient({
    baseUrl: emulator.url,
    accessToken: emulator.accessToken,
    fetch: emulator.fetch,
  })
  const read = <Item>(list: { list(): { toArray(options: { max: number }): Promise<Item[]> } }) =>
    list.list().toArray({ max: 5_000 })
  return {
    emulator,
    users: await read(users),
    teams: await read(teams),
    tags: await read(tags),
    roles: await read(userRoles),
    knowledgeBases: await read(knowledgeBases),
    forms: await read(ticketForms),
    issues: emulator.issues.list().map(({ id }) => emulator.issues.get(id)),
  }
}

const filled = expect.stringMatching(/\S/)
const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[a-z0-9_]+$`))
const slug = expect.stringMatching(/^[a-z]+(-[a-z]+)*$/)
const email = expect.stringMatching(/^[\w.+-]+@[\w-]+\.example$/)
const language = expect.stringMatching(/^[a-z]{2}$/)
/** Nothing, or HTML. */
const optionalHtml = expect.stringMatching(/^$|^<p/)
const time = expect.stringMatching(/^2026-1[01]-\d\dT\d\d:\d\d:\d\d(\.000)?Z$/)

describe('the built-in data set', () => {
  test('has complete objects, whose IDs are unique', async () => {
    const { users, teams, tags, roles, knowledgeBases, forms } = await readDataset()
    for (const list of [users, teams, tags, roles, knowledgeBases, forms]) {
      expect(new Set(list.map((item) => item.id)).size).toBe(list.length)
    }
    for (const user of users) {
      expect(user).toEqual({
        id: id('usr'),
        name: filled,
        email,
        emails: expect.arrayContaining([user.email]),
        avatar_url: '',
        role_id: expect.toSatisfy((role) => roles.some((each) => each.id === role)),
        status: user.id === 'usr_gone' ? 'deactivated' : 'active',
      })
    }
    for (const team of teams) {
      expect(team).toEqual({ id: id('team'), name: filled, users: expect.any(Array) })
      for (const member of team.users ?? []) {
        expect(users).toContainEqual(expect.objectContaining(member))
      }
    }
    for (const tag of tags) {
      const hex_color = expect.stringMatching(/^#[\da-f]{6}$/)
      const object_type = expect.stringMatching(/^(issue|account)$/)
      expect(tag).toEqual({ id: id('tag'), value: filled, hex_color, object_type })
    }
    for (const role of roles) expect(role).toEqual({ id: id('role'), name: filled, slug })
    for (const base of knowledgeBases) {
      expect(base).toEqual({
        id: id('kb'),
        slug,
        title: filled,
        default_language: language,
        supported_languages: expect.arrayContaining([base.default_language]),
      })
      for (const each of base.supported_languages ?? []) expect(each).toEqual(language)
    }
    for (const form of forms) {
      expect(form).toEqual({
        id: id('form'),
        name: filled,
        slug,
        description_html: optionalHtml,
        is_public: form.id !== 'form_escalation',
        url: `https://help.tidepool.example/forms/${form.slug}`,
        fields: expect.any(Array),
      })
      for (const field of form.fields ?? []) {
        const type = expect.stringMatching(/^(text|file|number|select)$/)
        expect(field).toEqual({ name: filled, slug, description_html: optionalHtml, type })
      }
    }
  })

  test('has issues with a requester, an account and messages that exist', async () => {
    const { emulator, users, tags, issues } = await readDataset()
    const people = new Map(users.map((user) => [user.id, user]))
    const accounts = new Set<string>()
    for (const issue of issues) {
      expect(issue).toMatchObject({
        id: `iss_${issue.number}`,
        title: filled,
        state: expect.stringMatching(/^(new|open|waiting|closed)$/),
        createdAt: issue.messages[0]?.timestamp,
        updatedAt: issue.messages.at(-1)?.timestamp,
        preview: filled,
        requester: { name: filled, email },
      })
      for (const person of [
        issue.requester,
        ...(issue.assignee === null ? [] : [issue.assignee]),
      ]) {
        expect(people.get(person.id)).toMatchObject(person)
      }
      for (const account of issue.account === null ? [] : [issue.account]) {
        expect(account).toEqual({ id: id('acc'), name: filled })
        accounts.add(account.id)
      }
      for (const tag of issue.tags) {
        expect(tags).toContainEqual(
          expect.objectContaining({ value: tag.value, hex_color: tag.hexColor }),
        )
      }
      for (const [index, message] of issue.messages.entries()) {
        const author = message.author.user ?? message.author.contact
        const person = people.get(author?.id)
        const isAgent = person?.role_id !== 'role_requester'
        expect(message).toEqual({
          id: `msg_${issue.number}_${index + 1}`,
          thread_id: `thr_${issue.number}`,
          timestamp: time,
          message_html: expect.stringMatching(/^<(p|blockquote)[ >]/),
          is_private: message.source === 'note',
          source: expect.stringMatching(/^(note|email)$/),
          file_urls: expect.any(Array),
          author: {
            name: person?.name,
            avatar_url: '',
            [isAgent ? 'user' : 'contact']: { id: author?.id, email: person?.email },
          },
          redacted: false,
        })
        for (const url of message.file_urls) {
          expect(url).toMatch(/^https:\/\/files\.tidepool\.example\/./)
        }
      }
    }
    expect(accounts.size).toBe(7)
    expect(emulator.issues.list().every((issue) => issue.assignee?.name !== '')).toBe(true)
  })
})

test('the built-in data set has customers, issues and teams of every kind', async () => {
  const { users, teams, issues } = await readDataset()
  expect(
    issues.map(({ number, state, assignee, tags }) => [
      number,
      state,
      assignee?.id ?? null,
      tags.map(({ value }) => value),
    ]),
  ).toEqual([
    [1042, 'open', 'usr_ada', ['billing', 'urgent']],
    [1041, 'waiting', 'usr_zoe', ['billing']],
    [1040, 'new', null, ['API']],
    [1039, 'open', 'usr_nour', ['urgent']],
    [1038, 'open', 'usr_bjorn', ['⭐ VIP']],
    [1037, 'waiting', 'usr_li', []],
    [1036, 'closed', 'usr_bjorn', []],
    [1035, 'closed', 'usr_zoe', ['renewal 2027', '⭐ VIP']],
  ])
  expect(
    issues.flatMap(({ messages }) => messages.filter((each) => each.is_private)),
  ).toMatchObject([{ id: 'msg_1042_2', author: { user: { id: 'usr_ada' } } }])
  expect(teams.map((team) => team.users?.map((user) => user.id))).toEqual([
    ['usr_ada', 'usr_zoe'],
    ['usr_bjorn', 'usr_zoe', 'usr_li'],
    ['usr_nour'],
    [],
  ])
  expect(users.find((user) => user.id === 'usr_jennifer')?.emails).toEqual([
    'null@null-and-sons.example',
    'jennifer.null@null-and-sons.example',
  ])
})

test('a message of a customer has their email address, and a note has none', async () => {
  const emulator = createEmulator()
  const client = createClient({
    baseUrl: emulator.url,
    accessToken: emulator.accessToken,
    fetch: emulator.fetch,
  })
  const redact = (number: number) =>
    client.messages.redact({ issue_id: 'iss_1042', message_id: `msg_1042_${number}` })
  expect(await redact(1)).toMatchObject({
    email_info: {
      from_email: 'maria.anders@northwind.example',
      to_emails: ['support@tidepool.example'],
      cc_emails: [],
      bcc_emails: [],
    },
  })
  expect(await redact(2)).not.toHaveProperty('email_info')
  expect((await redact(3)).email_info).toEqual({
    from_email: 'ada@tidepool.example',
    to_emails: [],
    cc_emails: [],
    bcc_emails: [],
  })
})

test('a data set of the user has its customers, and the agents and tags of the default one', async () => {
  const dataset = {
    customers: [
      { name: 'Ada', requester_email: 'ada@example.com', account_id: 'a1' },
      { name: 'Bob' },
    ],
    issues: [
      { title: 'First', customer: 'Ada', message: 'One\n<two>' },
      { title: 'Second', customer: 'Bob' },
    ],
  }
  const { users, teams, tags, issues } = await readDataset(dataset)
  const built = await readDataset()
  expect([teams, tags]).toEqual([[], built.tags])
  expect(users.slice(0, -2)).toEqual(built.users.slice(0, 6))
  const customer = { avatar_url: '', role_id: 'role_requester', status: 'active' }
  const ada = 'ada@example.com'
  expect(users.slice(-2)).toEqual([
    { ...customer, id: 'usr_1', name: 'Ada', email: ada, emails: [ada] },
    { ...customer, id: 'usr_2', name: 'Bob', email: '', emails: [] },
  ])
  const common = { assignee: null, tags: [], state: 'open' }
  const message = { is_private: false, source: 'email', file_urls: [], redacted: false }
  expect(issues).toEqual([
    {
      ...common,
      id: 'iss_1',
      number: 2,
      title: 'First',
      account: { id: 'a1', name: 'a1' },
      requester: { id: 'usr_1', name: 'Ada', email: ada },
      preview: 'One <two>',
      createdAt: '2026-11-20T15:00:00.000Z',
      updatedAt: '2026-11-20T15:00:00.000Z',
      messages: [
        {
          ...message,
          id: 'msg_1_1',
          thread_id: 'thr_1',
          timestamp: '2026-11-20T15:00:00.000Z',
          message_html: '<p>One<br>&lt;two&gt;</p>',
          author: { name: 'Ada', avatar_url: '', contact: { id: 'usr_1', email: ada } },
        },
      ],
    },
    {
      ...common,
      id: 'iss_2',
      number: 1,
      title: 'Second',
      account: null,
      requester: { id: 'usr_2', name: 'Bob', email: '' },
      preview: 'Second',
      createdAt: '2026-11-20T14:59:00.000Z',
      updatedAt: '2026-11-20T14:59:00.000Z',
      messages: [
        {
          ...message,
          id: 'msg_2_1',
          thread_id: 'thr_2',
          timestamp: '2026-11-20T14:59:00.000Z',
          message_html: '<p>Second</p>',
          author: { name: 'Bob', avatar_url: '', contact: { id: 'usr_2', email: '' } },
        },
      ],
    },
  ])
})
