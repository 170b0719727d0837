import {
  type Account,
  byView,
  FABRIKAM,
  find,
  full,
  json,
  LUMEN,
  NORTHWIND,
  type Parts,
  respond,
  type Seed,
  text,
  unknown,
  type View,
} from './seed.ts'

const other = (own: Account) => (own === NORTHWIND ? LUMEN : NORTHWIND)
/** Changes the response for a known customer. */
const changed = (
  view: View,
  change: (payload: ReturnType<View>, own: Account) => object,
): Parts => ({
  data({ id }) {
    const found = find(id)
    return json(found === undefined ? unknown() : change(view(found), found))
  },
})
/** Data with a component about another customer next to it. */
const nextTo = (id: string, add: (foreign: Account) => object) =>
  byView(id, (view) =>
    changed(view, (payload, own) => ({
      ...payload,
      components: [...payload.components, add(other(own))],
    })),
  )
const inHeader = (id: string, header: (foreign: Account) => Record<string, string>) =>
  byView(id, (view) => ({
    data({ id: requested }) {
      const found = find(requested)
      return found === undefined ? json(unknown()) : json(view(found), 200, header(other(found)))
    },
  }))
const link = (path: string) => ({ type: 'link', label: 'More', url: `https://a.example/${path}` })
const base64 = (value: string) => Buffer.from(value).toString('base64')
const hex = (value: string) => Buffer.from(value).toString('hex')

const inData = [
  ...nextTo('recently-viewed', ({ name }) => text('Recently viewed', name)),
  ...nextTo('name-in-a-sentence', ({ name }) =>
    text('Note', `Merged with ${name.toUpperCase()}, see there.`),
  ),
  ...nextTo('name-in-a-label', ({ name }) => text(name, 'See there')),
  ...nextTo('name-in-a-badge', ({ name }) => ({
    type: 'badge',
    label: 'Group',
    items: [{ value: name, color: 'gray' }],
  })),
  ...nextTo('name-in-a-query', ({ name }) => link(`?next=${encodeURIComponent(name)}`)),
  ...nextTo('name-in-a-form-query', ({ name }) => link(`?next=${name.replaceAll(' ', '+')}`)),
  ...nextTo('name-in-base64', ({ name }) =>
    link(`?s=${base64(JSON.stringify({ name })).replaceAll('=', '')}`),
  ),
  ...nextTo('name-in-base64-path', ({ name }) => link(`${base64(name)}/x`)),
  ...nextTo('name-in-hex', ({ name }) => link(hex(name))),
  ...nextTo('id-in-a-link', ({ id }) => link(`accounts/${id}`)),
  ...nextTo('id-in-base64', ({ id }) => link(`?s=${base64(id)}`)),
  ...nextTo('id-in-hex', ({ id }) => link(hex(id))),
  ...nextTo('id-in-capitals', ({ id }) => text('Reference', id.toUpperCase())),
  ...nextTo('id-in-groups', ({ id }) => text('Reference', id.replaceAll(/(.{4})(?!$)/g, '$1-'))),
  ...inHeader('id-in-a-header', ({ id }) => ({ 'x-account': id })),
  ...inHeader('id-in-an-etag', ({ id }) => ({ etag: `"${id}-1"` })),
  ...inHeader('name-in-a-header', ({ name }) => ({ 'x-customer': name })),
  ...inHeader('name-in-a-cookie', ({ name }) => ({
    'set-cookie': `c=${encodeURIComponent(name)}`,
  })),
  ...inHeader('name-in-a-base64-header', ({ name }) => ({
    'x-context': base64(JSON.stringify({ at: 1, name })),
  })),
  ...byView('name-in-an-extra-field', (view) =>
    changed(view, (payload, own) => ({ ...payload, debug: { last: other(own).name } })),
  ),
  ...byView('title-of-another', (view) =>
    changed(view, (payload, own) => ({ ...payload, header: { title: other(own).name } })),
  ),
  ...byView('id-of-a-third-at-its-place', () =>
    changed(full, (_payload, own) => full({ ...own, id: own === LUMEN ? FABRIKAM.id : own.id })),
  ).slice(0, 1),
]

/** The same spelling of the own customer's texts is no defect. */
const spelled = (id: string, add: (account: Account) => object) => {
  const part = (pick: (own: Account) => Account) => (view: View) =>
    changed(view, (payload, own) => ({
      ...payload,
      components: [...payload.components, add(pick(own))],
    }))
  return byView(
    id,
    part(other),
    part((own) => own),
  )
}
const inOtherSpellings = [
  ...spelled('name-as-slug-in-a-link', ({ name }) =>
    link(`customers/${name.toLowerCase().replaceAll(' ', '-')}`),
  ),
  ...spelled('name-as-host', ({ name }) => ({
    ...link(''),
    url: `https://${name.toLowerCase().replaceAll(' ', '-')}.example.com/`,
  })),
  ...spelled('name-in-snake-case', ({ name }) =>
    text('Schema', name.toLowerCase().replaceAll(' ', '_')),
  ),
  ...spelled('name-in-camel-case', ({ name }) => text('Workspace', name.replaceAll(' ', ''))),
  ...spelled('name-on-two-lines', ({ name }) => text('Company', name.replace(' ', '\n'))),
  ...spelled('name-in-tags', ({ name }) =>
    text(
      'Company',
      name.replaceAll(/\w+/g, (word) => `<b>${word}</b>`),
    ),
  ),
  ...spelled('name-encoded-twice', ({ name }) =>
    link(`?r=${encodeURIComponent(`/c?n=${encodeURIComponent(name)}`)}`),
  ),
  ...spelled('id-in-a-token', ({ id }) =>
    link(`s/${base64('{"alg":"none"}')}.${base64(JSON.stringify({ sub: id }))}.x`),
  ),
  ...spelled('id-in-hex-with-colons', ({ id }) =>
    text(
      'Digest',
      hex(id)
        .toUpperCase()
        .replaceAll(/(..)(?!$)/g, '$1:'),
    ),
  ),
  ...spelled('id-in-an-icon', ({ id }) => ({
    ...text('Logo', 'own'),
    icon_url: `https://cdn.example/${id}.png`,
  })),
  ...inHeader('id-in-a-link-header', ({ id }) => ({
    link: `<https://a.example/accounts/${id}>; rel="next"`,
  })),
  ...inHeader('id-in-the-name-of-a-header', ({ id }) => ({
    [`x-tenant-${id.replace('_', '-')}`]: '1',
  })),
]

const elsewhere = [
  ...byView('handshake-names-a-customer', (view) => ({
    data: ({ id }) => respond(find(id), view),
    verify: (code) => json({ code }, 200, { 'x-tenant': NORTHWIND.name }),
  })),
  ...byView('handshake-names-the-last', (view) => {
    let last = 'none'
    return {
      data({ id }) {
        last = find(id)?.name ?? last
        return respond(find(id), view)
      },
      verify: (code) => json({ code }, 200, { 'x-last': last }),
    }
  }),
  ...byView('bad-request-names-the-last', (view) => {
    let last = 'none'
    return {
      data({ id }) {
        last = find(id)?.name ?? last
        return respond(find(id), view)
      },
      other: () => json({ error: 'bad request', context: last }, 400),
    }
  }),
  ...byView('bad-request-names-a-customer', (view) => ({
    data: ({ id }) => respond(find(id), view),
    other: () => json({ error: `expected fetch_data for ${LUMEN.name}` }, 400),
  })),
  ...byView('browser-origin-gets-another', (view) => ({
    data: ({ id, request }) => respond(request.headers.has('origin') ? LUMEN : find(id), view),
  })),
  ...byView('extra-parameter-gets-another', (view) => ({
    data: ({ id, params }) => respond(params.has('sidecard_check') ? LUMEN : find(id), view),
  })),
  ...byView('extra-header-gets-another', (view) => ({
    data: ({ id, request }) =>
      respond(request.headers.has('x-sidecard-check') ? LUMEN : find(id), view),
  })),
  ...byView('no-issue-gets-another', (view) => ({
    data: ({ id, params }) => respond(params.has('issue_id') ? find(id) : LUMEN, view),
  })),
  ...byView('no-requester-gets-another', (view) => ({
    data: ({ id, params }) => respond(params.has('requester_id') ? find(id) : LUMEN, view),
  })),
]

/** What an endpoint remembers with a connection. */
const perConnection = () => {
  const values = new WeakMap<object, { found?: Account | undefined; id?: string; name?: string }>()
  return (connection: object) => {
    const value = values.get(connection) ?? {}
    values.set(connection, value)
    return value
  }
}
const connections = [
  ...byView('connection-remembers-the-payload', (view) => {
    const memory = perConnection()
    return {
      data: ({ id, connection }) => respond((memory(connection).found ??= find(id)), view),
    }
  }),
  ...byView('connection-remembers-a-title', (view) => {
    const memory = perConnection()
    return {
      data({ id, connection }) {
        const found = find(id)
        const own = memory(connection)
        own.name ??= found?.name ?? 'Billing'
        return json({ ...(found ? view(found) : unknown()), header: { title: own.name } })
      },
    }
  }),
  ...byView('connection-shifts-by-one', (view) => {
    const memory = perConnection()
    return {
      data({ id, connection }) {
        const own = memory(connection)
        const at = own.id ?? id
        own.id = id
        return respond(find(at), view)
      },
    }
  }),
]

/** Parts of one customer's data in responses to another one, or without a customer. */
export const disclosureSeeds: readonly Seed[] = [
  ...inData,
  ...inOtherSpellings,
  ...elsewhere,
  ...connections,
]
