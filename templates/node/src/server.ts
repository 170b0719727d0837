import { healthCheck } from 'sidecard'
import { serve } from 'sidecard/node'
import { getCustomers } from '../../http/src/customers.ts'
import { createApp } from '../../_base/src/sidebar.ts'
import type { Env } from '../../http/src/env.ts'

const health = healthCheck<Env>({
  sources: { customers: (env, signal) => getCustomers(env).byId('health', signal) },
  logger: console,
})
const { HOST: hostname, PORT: port } = process.env
const server = await serve(createApp(getCustomers).route('/health', health), { hostname, port })
console.log(`Sidebar app listening on ${server.url}`)
