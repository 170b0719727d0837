/**
 * Serves one contender on a free port until its standard input closes. Writes
 * its address, and for each line that it is given the CPU time it has used.
 */
import { createInterface } from 'node:readline'
import { SERVERS } from './servers.ts'
import type { Size } from './sizes.ts'

const [name = '', size = '15'] = process.argv.slice(2)
const url = await SERVERS[name]?.(Number(size) as Size)
process.stdout.write(`${url}\n`)
createInterface({ input: process.stdin })
  .on('line', () => {
    const { user, system } = process.cpuUsage()
    process.stdout.write(`${user + system}\n`)
  })
  .on('close', () => process.exit(0))
