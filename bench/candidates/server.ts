/** Serves one candidate: `node server.ts <name> <size>`. */
import type { Size } from './payloads.ts'
import { reportUsage } from './report-usage.ts'
import { SERVERS } from './servers.ts'

const [name = '', size = '15'] = process.argv.slice(2)
const start = SERVERS[name]
if (start === undefined) throw new Error(`There is no candidate ${name}.`)
reportUsage(await start(Number(size) as Size))
