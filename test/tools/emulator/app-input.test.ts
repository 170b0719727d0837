import { describe, expect, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import { connect, endpoint } from './helpers.ts'

const headers = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, '1']))

const OWN = 'HTTP sets this header. Use another name.'

describe('an invalid app', () => {
  test.each<[string, object, unknown]>([
    ['name', { name: '   ' }, 'Enter a name.'],
    ['name', { name: 'x'.repeat(81) }, 'The name must not exceed 80 characters.'],
    ['url', { url: 'ftp://example.com' }, expect.any(String)],
    ['url', { url: 'javascript:alert(1)' }, expect.any(String)],
    ['url', { url: 'http://user:canary@example.com/' }, expect.any(String)],
    ['headers', { headers: headers(21) }, 'An app has at most 20 custom headers.'],
    ...'host connection content-length transfer-encoding keep-alive upgrade te trailer expect HOST'
      .split(' ')
      .map((name): [string, object, unknown] => [
        `headers.${name}`,
        { headers: { 'x-own': '1', [name]: 'x' } },
        OWN,
      ]),
    ['headers.x y', { headers: { 'x y': 'x' } }, expect.any(String)],
    ['headers.x', { headers: { x: 'canary\r\nset-cookie: 1' } }, expect.any(String)],
    ['widgets', { widgets: [] }, 'Add 1 to 10 widgets.'],
    ['widgets', { widgets: Array(11).fill('x') }, 'Add 1 to 10 widgets.'],
    ['widgets[1]', { widgets: ['a', ''] }, 'Enter a name.'],
    ['widgets[0]', { widgets: ['x'.repeat(81)] }, 'The name must not exceed 80 characters.'],
  ])('is rejected with the field %s, and nothing is stored: %j', async (path, input, message) => {
    const emulator = createEmulator()
    const creating = emulator.apps.create({ name: 'x', url: 'http://localhost:1/', ...input })
    const error: Error = await creating.then(
      () => expect.unreachable(),
      (thrown: Error) => thrown,
    )
    expect(error).toMatchObject({ name: 'InvalidAppError', code: 'invalid_app', path, message })
    expect(error.message).not.toContain('canary')
    expect(emulator.apps.list()).toEqual([])
  })

  test('is rejected on an update, and nothing changes', async () => {
    const { emulator, app } = await connect()
    await expect(emulator.apps.update(app.id, { name: 'New', widgets: [] })).rejects.toMatchObject({
      path: 'widgets',
    })
    expect(emulator.apps.get(app.id)).toEqual(app)
    await expect(emulator.apps.update('nope', {})).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('an app has at most 80 characters, 20 headers and 10 widgets', async () => {
  const emulator = createEmulator()
  const view = await emulator.apps.create({
    name: ` ${'x'.repeat(80)} `,
    headers: headers(20),
    widgets: Array.from({ length: 10 }, (_, index) => ` W${index} `),
    target: endpoint(),
  })
  expect(view).toEqual({
    id: expect.stringMatching(/^app_[0-9a-z]{12}$/),
    name: 'x'.repeat(80),
    url: 'http://sidecard.test/',
    headerNames: Object.keys(headers(20)),
    widgets: Array.from({ length: 10 }, (_, index) => ({
      id: expect.stringMatching(/^wid_[0-9a-z]{12}$/),
      name: `W${index}`,
    })),
    state: 'connected',
    handshaking: false,
    lastHandshake: {
      at: expect.stringMatching(/Z$/),
      exchangeId: expect.stringMatching(/^exc_/),
      durationMs: expect.any(Number),
      result: { ok: true, form: 'json' },
    },
  })
})

test('an update keeps the IDs of widgets by position, and everything else that it does not name', async () => {
  const emulator = createEmulator()
  const { id, widgets } = await emulator.apps.create({
    name: 'One',
    widgets: ['A', 'B'],
    headers: { 'x-a': '1', 'x-b': '2' },
    target: endpoint(),
  })
  const view = await emulator.apps.update(id, { widgets: ['C', 'D', 'E'] })
  expect(view.widgets).toEqual([
    { id: widgets[0]?.id, name: 'C' },
    { id: widgets[1]?.id, name: 'D' },
    { id: expect.stringMatching(/^wid_/), name: 'E' },
  ])
  expect(view).toMatchObject({ name: 'One', headerNames: ['x-a', 'x-b'] })
  expect(await emulator.apps.update(id, { name: ' Two ', headers: { 'x-a': null } })).toMatchObject(
    {
      name: 'Two',
      widgets: view.widgets,
      headerNames: ['x-b'],
    },
  )
})
