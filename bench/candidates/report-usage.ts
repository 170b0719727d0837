import { createInterface } from 'node:readline'

/** What a server process reports about itself. */
export interface Usage {
  /** CPU time since its start, in microseconds. */
  readonly cpuMicroseconds: number
  readonly sourceCalls: number
}

/**
 * Writes the URL of a server, and its usage for each line on standard input.
 * Ends the process when standard input closes.
 */
export function reportUsage(url: string, countSourceCalls: () => number = () => 0): void {
  process.stdout.write(`${url}\n`)
  createInterface({ input: process.stdin })
    .on('line', () => {
      const { user, system } = process.cpuUsage()
      const usage: Usage = { cpuMicroseconds: user + system, sourceCalls: countSourceCalls() }
      process.stdout.write(`${JSON.stringify(usage)}\n`)
    })
    .on('close', () => process.exit(0))
}
