import { healthCheck } from 'sidecard'
import { serve } from 'sidecard/node'
import { customers, getCustomers } from '../../sample/src/customers.ts'
import { createApp } from '../../_base/src/sidebar.ts'

const health = healthCheck({
  sources: { customers: (_env, signal) => getCustomers().byId('health', signal) },
  logger: console,
})
const { HOST: hostname, PORT: port } = process.env
const server = await serve(createApp(getCustomers).route('/health', health), { hostname, port })
console.log(`Sidebar app listening on ${server.url}`)
if (customers.length === 0) console.warn('There are no customers yet: see src/customers.ts.')
