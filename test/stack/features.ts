import { check } from 'sidecard/check'
import { expect } from 'vitest'
import { readHidden, readPage } from '../helpers/actions.ts'
import type { Feature } from './matrix.ts'
import type { RunningHost } from './running-host.ts'

export const SECRET = 's3cret-of-the-matrix'
const HEADERS = { 'x-sidecard-secret': SECRET }
/** The headers of a browser that opens a link. */
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const FORM = {
  ...NAVIGATION,
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
}

const fetchData = (host: RunningHost, id: string) =>
  host.send(`?request_type=fetch_data&account_id=${id}`, { headers: HEADERS })

/** Follows the button of an action, as an agent does. */
async function openAction(host: RunningHost, label: string, id: string) {
  const payload: any = await (await fetchData(host, id)).json()
  const { url } = payload.components.find((each: any) => each.label === label)
  expect(url).toContain(host.url)
  return readPage(await host.send(url.slice(host.url.length), { headers: NAVIGATION }))
}

async function sendForm(host: RunningHost, fields: Readonly<Record<string, string>>) {
  const body = String(new URLSearchParams(fields))
  return readPage(await host.send('/actions', { method: 'POST', headers: FORM, body }))
}

/** Opens an action, and sends its form. */
async function fillIn(host: RunningHost, label: string, id: string, field: string, value: string) {
  const { html } = await openAction(host, label, id)
  return sendForm(host, { ...readHidden(html), [`field-${field}`]: value })
}

/** Tries each feature as the service, an agent or a platform uses it. */
export const TRY_FEATURE: Readonly<Record<Feature, (host: RunningHost) => Promise<unknown>>> = {
  async 'the handshake'(host) {
    const query = '?request_type=verify&code=a%2Bb%20%F0%9F%94%91'
    const response = await host.send(query, { headers: HEADERS })
    expect([response.status, await response.json()]).toEqual([200, { code: 'a+b 🔑' }])
  },

  async 'a data fetch'(host) {
    const payload: any = await (await fetchData(host, 'acc_1')).json()
    expect(payload.components[0]).toEqual({ type: 'text', label: 'Account', value: 'acc_1' })
    expect((await host.send('?request_type=fetch_data&account_id=acc_1')).status).toBe(401)
  },

  async 'the page of an action'(host) {
    const page = await openAction(host, 'Extend', 'acc_2')
    expect(page).toMatchObject({ status: 200, heading: 'Extend' })
  },

  async 'a form with an error'(host) {
    const { status, html } = await fillIn(host, 'Extend', 'acc_3', 'days', '99')
    expect([status, html]).toEqual([422, expect.stringContaining('value="99"')])
  },

  async 'a form with values'(host) {
    const { outcome, html } = await fillIn(host, 'Extend', 'acc_4', 'days', '7')
    expect([outcome, html]).toEqual(['done', expect.stringContaining('7 days')])
  },

  async 'a form with a review'(host) {
    const { outcome, html } = await fillIn(host, 'Refund', 'acc_5', 'amount', '8')
    expect([outcome, html]).toEqual(['review', expect.stringContaining('Refund 8 credits')])
  },

  async 'a confirmation'(host) {
    const review = await fillIn(host, 'Refund', 'acc_6', 'amount', '9')
    const { outcome, html } = await sendForm(host, readHidden(review.html))
    expect([outcome, html]).toEqual(['done', expect.stringContaining('9 credits refunded')])
  },

  async 'an audit record'(host) {
    await fillIn(host, 'Extend', 'acc_7', 'days', '7')
    await host.printed(/MATRIX audit .*"done".*acc_7|MATRIX audit .*acc_7.*"done"/)
  },

  async 'ctx.waitUntil()'(host) {
    await fillIn(host, 'Extend', 'acc_8', 'days', '5')
    await host.printed(/MATRIX extended acc_8 for 5 days/)
    await fetchData(host, 'acc_9')
    await host.printed(/MATRIX fetched acc_9/)
  },

  async 'the health check'(host) {
    const response = await host.send('/health')
    expect([response.status, await response.json()]).toMatchObject([200, { status: 'ok' }])
  },

  async 'a conforming endpoint'(host) {
    const report = await check(host.url, {
      fetch: async (request) =>
        host.send(request.url.slice(host.url.length), {
          method: request.method,
          headers: Object.fromEntries(request.headers),
          ...(request.body !== null && { body: await request.text() }),
        }),
      headers: HEADERS,
      customers: ['acc_a1', 'acc_b2'].map((id) => ({ ids: { account_id: id }, shows: [id] })),
      isolationSamples: 2,
      samples: 1,
      expectAuth: true,
    })
    // Its sidebar of an unknown customer does not differ from others.
    expect(report).toMatchObject({ verdict: 'not_proven', summary: { fail: 0 } })
  },

  async 'a stop'(host) {
    const slow = fetchData(host, 'acc_slow')
    await host.printed(/MATRIX loading/)
    const exitCode = await host.stop()
    expect([(await slow).status, exitCode]).toEqual([200, 0])
    await host.printed(/MATRIX fetched acc_slow/)
  },
}
