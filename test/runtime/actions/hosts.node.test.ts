import { memoryReceipts, type Receipt } from 'sidecard/actions'
import { serve } from 'sidecard/node'
import { expect, test } from 'vitest'
import { createActionApp, createExtendTrial, openPage, readLinks } from '../../helpers/actions.ts'
import { exchange } from '../../helpers/raw-http.ts'

const handleSignals = false

test('the page is at the raw path only, so that the rule of a proxy covers all there is', async () => {
  const app = createActionApp(createExtendTrial())
  await using server = await serve(app, { port: 0, handleSignals, env: {} })
  const [link] = await readLinks(app)
  const { search } = new URL(link!)
  const end = 'host: billing.example.com\r\nconnection: close\r\n\r\n'
  const { port } = new URL(server.url)
  const at = async (path: string) => {
    const response = await exchange(Number(port), `GET ${path}${search} HTTP/1.1\r\n${end}`)
    return Number(response.split(' ')[1])
  }
  // The link is from before the start of this store’s process in no case: 410 would be the page too.
  expect([200, 410]).toContain(await at('/actions'))
  const others = ['/%61ctions', '/action%73', '/actions/', '/x/../actions', '/x/%2e%2e/actions']
  for (const path of [...others, '//actions', '/./actions', '/Actions']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect([path, await at(path)]).toEqual([path, 404])
  }
})

test('SIDECARD_DEV counts for a socket of this machine, whatever the host header says', async () => {
  const signIn = () => Promise.reject(new Error('no sign-in'))
  const app = createActionApp(createExtendTrial(), { signIn, publicUrl: undefined as never })
  const env = { SIDECARD_DEV: '1' }
  const dataFetch = new Request('http://localhost:8787/?request_type=fetch_data&account_id=a')
  const payload: any = await (await app.fetch(dataFetch, env)).json()
  const { search } = new URL(payload.components[0].url)
  const open = async (remoteAddress: string | undefined) => {
    const page = new Request(`http://localhost:8787/actions${search}`)
    if (remoteAddress !== undefined) {
      const incoming = { url: `/actions${search}`, socket: { remoteAddress } }
      Object.assign(page, { [Symbol.for('sidecard.incoming')]: incoming })
    }
    return (await app.fetch(page, env)).status
  }
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', undefined]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect([address, await open(address)]).toEqual([address, 200])
  }
  for (const address of ['10.0.0.7', '::ffff:10.0.0.7', '203.0.113.9']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect([address, await open(address)]).toEqual([address, 403])
  }
})

test('a server that stops writes the outcome first, although the store fails twice', async () => {
  const memory = memoryReceipts()
  const states: string[] = []
  let failures = 2
  const settle = (receipt: Receipt) => {
    failures -= 1
    if (failures >= 0) throw new Error('connection reset')
    states.push(receipt.state)
    return memory.settle(receipt)
  }
  const app = createActionApp(createExtendTrial(), { receipts: { ...memory, settle } })
  const server = await serve(app, { port: 0, handleSignals, env: {} })
  const [link] = await readLinks(app)
  const { t, form } = await openPage(app, link!)
  const body = new URLSearchParams({ t: t!, form: form!, 'field-days': '7' })
  const headers = { 'sec-fetch-site': 'same-origin' }
  const response = await fetch(new URL('/actions', server.url), { method: 'POST', body, headers })
  expect(response.headers.get('x-sidecard-outcome')).toBe('done')
  expect(states).toEqual([])
  await server.close()
  expect(states).toEqual(['done'])
})
