import { healthCheck } from 'sidecard'
import { serve } from 'sidecard/node'
import { app } from './app.ts'
import { openEnv } from './sources/env.ts'

const { onClose, ...env } = await openEnv(process.env)
app.route('/health', healthCheck({ sources: { database: () => env.DB.query('SELECT 1') } }))
const { url } = await serve(app, { env, port: process.env['PORT'], onClose })
process.stdout.write(`Billing listening on ${url}\n`)
