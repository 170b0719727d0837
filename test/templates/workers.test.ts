import { expect, test } from 'vitest'
import app from '../../templates/workers/src/index.ts'

const customer = {
  name: 'Northwind Traders',
  plan: 'Business',
  status: 'active' as const,
  renews_at: '2027-03-01T09:00:00Z',
}
const env = {
  SIDECARD_SECRET: 's3cret',
  CUSTOMERS: { get: async (id: string) => (id === 'acc_northwind' ? customer : null) },
}

async function open(account: string) {
  const path = `/?request_type=fetch_data&account_id=${account}`
  const response = await app.request(path, { headers: { 'x-sidecard-secret': 's3cret' } }, env)
  const { components } = (await response.json()) as { components: any[] }
  return components
}

test('shows a known customer', async () => {
  const [card] = await open('acc_northwind')
  expect(card.header.title).toBe('Northwind Traders')
  expect(card.components.map((one: any) => one.type)).toEqual([
    'text',
    'badge',
    'date_time',
    'button',
  ])
})

test('says that a customer is unknown', async () => {
  expect((await open('acc_nobody'))[0].label).toBe('Unknown customer')
})
