/** Serves the app with the slow source: `node slow-server.ts <cache>`. */
import { serve } from 'sidecard/node'
import { reportUsage } from './report-usage.ts'
import { type CacheName, createSlowApp } from './slow-source.ts'

const { app, source } = createSlowApp(process.argv[2] as CacheName)
const { url } = await serve(app, { port: 0, handleSignals: false })
reportUsage(url, () => source.calls)
