/** Serves one contender on a free port, until its standard input closes. */
import { serve } from 'sidecard/node'
import { type Contender, CONTENDERS, type Size } from './apps.ts'

const [contender, size] = process.argv.slice(2) as [Contender, Size]
const server = await serve(CONTENDERS[contender](size), { port: 0, handleSignals: false })
process.stdout.write(`${server.url}\n`)
process.stdin.on('end', () => process.exit(0)).resume()
