import { healthCheck } from 'sidecard'
import { serve } from 'sidecard/node'
import { getCustomers } from './customers.ts'
import { createApp } from './sidebar.ts'
import type { Env } from './env.ts'

const health = healthCheck<Env>({
  sources: { customers: (env, signal) => getCustomers(env).byId('health', signal) },
  logger: console,
})
const { HOST: hostname, PORT: port } = process.env
const server = await serve(createApp(getCustomers).route('/health', health), { hostname, port })
console.log(`Sidebar app listening on ${server.url}`)
