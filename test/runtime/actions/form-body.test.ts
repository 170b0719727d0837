import { Hono } from 'hono'
import { textField } from 'sidecard/actions'
import { expect, test } from 'vitest'
import {
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
  readPage,
  send,
} from '../../helpers/actions.ts'

import { createRecordingLogger } from '../../helpers/app.ts'

const TYPE = 'application/x-www-form-urlencoded'

/** Opens the page of an action, whose form can then be sent with any type and body. */
async function open(overrides: Record<string, unknown> = {}) {
  const app = createActionApp(createExtendTrial(overrides))
  const [link] = await readLinks(app)
  const page = await openPage(app, link!)
  const fields = String(new URLSearchParams({ t: page.t!, form: page.form!, 'field-days': '7' }))
  const post = async (body: BodyInit, type: string | undefined = TYPE) => {
    const headers = {
      'sec-fetch-site': 'same-origin',
      ...(type !== '' && { 'content-type': type }),
    }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    return readPage(await send(app, '/actions', init))
  }
  return { app, page, fields, post }
}

test.each(['text/plain', `${TYPE}x`, `text/${TYPE}`, `text/plain; ${TYPE}`])(
  'a valid form of the type %j runs nothing',
  async (type) => {
    const { app, fields, post } = await open()
    expect(await post(fields, type)).toMatchObject({ status: 400, outcome: 'invalid' })
    expect(app.journal.runs).toEqual([])
  },
)

test.each([TYPE, `${TYPE} ; charset=utf-8`, TYPE.toUpperCase()])(
  'a form of the type %j is read',
  async (type) => {
    const { fields, post } = await open()
    expect(await post(fields, type)).toMatchObject({ outcome: 'done' })
  },
)

test('a body that is no form does not open the link in its URL', async () => {
  const { app, page } = await open()
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: '{}' }
  const response = await send(app, `/actions?t=${page.t}`, init)
  expect(await readPage(response)).toMatchObject({ status: 400, outcome: 'invalid', t: undefined })
})

test('a valid form with a repeated field runs nothing', async () => {
  const { app, fields, post } = await open()
  expect(await post(`${fields}&field-days=7`)).toMatchObject({ status: 400, outcome: 'invalid' })
  expect(app.journal.runs).toEqual([])
})

test('a form of 256 KiB is read, and a longer one is not', async () => {
  const { fields, post } = await open()
  const padding = (bytes: number) => `&x=${'x'.repeat(bytes - fields.length - 3)}`
  expect(await post(fields + padding(262_145))).toMatchObject({ status: 400 })
  expect(await post(fields + padding(262_144))).toMatchObject({ outcome: 'done' })
})

test('a character may arrive in two parts', async () => {
  const { app, fields, post } = await open()
  const bytes = new TextEncoder().encode(`${fields}&field-reason=`)
  const parts = [bytes, Uint8Array.of(0xc3), Uint8Array.of(0xa9)]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift()
      if (part === undefined) controller.close()
      else controller.enqueue(part)
    },
  })
  expect(await post(body)).toMatchObject({ outcome: 'done' })
  expect(app.journal.runs).toMatchObject([{ values: { reason: 'é' } }])
})

test('what was entered is shown with the names of fields that a function returns', async () => {
  const form = () => ({ name: textField({ label: 'Name' }) })
  const { app, page } = await open({ form })
  const late = { now: () => Date.now() + 5_000_000 }
  const values = { name: 'Ann', constructor: 'x' }
  const expired = await confirmPage(app, page, values, undefined, undefined, late)
  expect(expired.outcome).toBe('expired')
  expect(expired.html.match(/<dt>[^]*<\/dl>/)?.[0]).toBe(
    '<dt>name</dt><dd dir="auto">Ann</dd><dt>constructor</dt><dd dir="auto">x</dd></dl>',
  )
})

test('what was entered in a field that the form no longer has is shown with its name', async () => {
  const { app, page } = await open()
  const late = { now: () => Date.now() + 5_000_000 }
  const values = { days: '7', constructor: 'x' }
  const expired = await confirmPage(app, page, values, undefined, undefined, late)
  expect(expired.html.match(/<dt>[^]*<\/dl>/)?.[0]).toBe(
    '<dt>Days</dt><dd dir="auto">7</dd><dt>constructor</dt><dd dir="auto">x</dd></dl>',
  )
})

test('the page says that the form could not be read, and the log says why', async () => {
  const logger = createRecordingLogger()
  const app = createActionApp(createExtendTrial(), {}, { logger })
  const parent = new Hono().use(async (c, next) => {
    await c.req.raw.arrayBuffer()
    await next()
  })
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': TYPE }
  const init = { method: 'POST', headers, body: 't=x' }
  const page = await readPage(await parent.route('/', app).request('/actions', init))
  expect(page).toMatchObject({ status: 400, heading: 'The form could not be read' })
  expect(logger.lines).toMatchObject([
    { fields: { problems: [expect.stringContaining('Other code has read the form')] } },
  ])
})
