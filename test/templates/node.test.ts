import { expect, test } from 'vitest'
import { validatePayload } from 'sidecard/schema'
import { createApp } from '../../templates/node/src/app.ts'
import { openDatabase } from '../../templates/node/src/database.ts'

const database = openDatabase()
const app = createApp(database)
const env = { SIDECARD_SECRET: 's3cret' }
const headers = { 'x-sidecard-secret': 's3cret' }

async function open(account: string) {
  const path = `/?request_type=fetch_data&account_id=${account}`
  const response = await app.request(path, { headers }, env)
  expect(response.headers.get('x-sidecard-fault')).toBeNull()
  const payload: any = await response.json()
  expect(validatePayload(payload).ok).toBe(true)
  return payload.components
}

test('shows plan, status, renewal, orders and recent errors of a known customer', async () => {
  const [overview, orders, errors] = await open('acc_northwind')
  expect(overview.header.title).toBe('Northwind Traders')
  expect(overview.components).toEqual([
    { type: 'text', label: 'Plan', value: 'Business' },
    { type: 'badge', label: 'Status', items: [{ value: 'Active', color: 'green' }] },
    { type: 'date_time', label: 'Renews', value: '2027-03-01T09:00:00Z' },
    {
      type: 'button',
      label: 'Open in admin',
      button_type: 'link',
      url: 'https://admin.example.com/customers/acc_northwind',
    },
  ])
  expect(orders.components[0]).toEqual({ type: 'text', label: 'Order #10482', value: '€ 1249.00' })
  expect(errors.header.title).toBe('Recent errors')
})

test('says when there are no orders, and leaves out a renewal that will not come', async () => {
  const [overview, orders] = await open('acc_koi')
  expect(overview.components.map((one: any) => one.type)).not.toContain('date_time')
  expect(orders.components).toEqual([{ type: 'text', label: 'Orders', value: 'None yet' }])
})

test('says that a customer is unknown', async () => {
  expect((await open('acc_nobody'))[0].header.title).toBe('Unknown customer')
})

test('says that an issue has no account', async () => {
  expect((await open(''))[0].header.title).toBe('Not available for this issue')
})

test('shows nothing without the secret, and to nobody when none is set', async () => {
  const path = '/?request_type=fetch_data&account_id=acc_northwind'
  expect((await app.request(path, {}, env)).status).toBe(401)
  expect((await app.request(path, { headers }, {})).status).toBe(401)
})
