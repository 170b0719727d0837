import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Command } from 'commander'
import { isSidecardError } from '../../errors.ts'
import { SEED_NAMES } from '../../emulator/seed/seeds.ts'
import { collect } from '../collect.ts'
import { withLocalSecrets } from '../local-secrets.ts'
import { runDevSession } from '../dev/session.ts'
import { untilInterrupted } from '../interruption.ts'
import type { CliIo } from '../io.ts'
import { runCommand, usageError } from '../run-command.ts'
import { parseHeaders, parseWhole } from './check-options.ts'

interface DevFlags {
  readonly port: string
  readonly url: string
  readonly header?: readonly string[]
  readonly name?: string
  readonly db: string
  readonly seed: string
  readonly strict?: boolean
  readonly open?: boolean
}

/** Where the workspace is unless `--port` says otherwise. */
const DEFAULT_PORT = '4310'

const EXAMPLES = `
What follows -- is your own dev command: it is started,
watched and ended with the emulator. SIDECARD_API_URL and
SIDECARD_API_TOKEN tell it where the emulated API is; a
token that is set already is the one of the API. A header's
value env:NAME is read from the environment, .env or
.dev.vars.

Exit codes: 0 ended by you, 1 the command ended by itself,
2 wrong usage.

Examples:
  sidecard dev
  sidecard dev -- node --watch src/server.ts
  sidecard dev -H 'x-sidecard-secret: env:SIDECARD_SECRET' \\
    -- wrangler dev
  sidecard dev --url http://127.0.0.1:3000/widget \\
    --db emulator.sqlite --open
`

/** Runs `sidecard dev`. @returns the exit code */
export async function runDevCommand(args: readonly string[], io: CliIo): Promise<number> {
  const command = new Command('sidecard dev')
    .description('Show your app in the sidebar of an emulated issue, and again after each save.')
    .argument('[command...]', 'your own dev command, after --')
    .option('--port <port>', 'the port of the workspace; 0 takes any', DEFAULT_PORT)
    .option('--url <url>', 'the address of your endpoint', 'http://127.0.0.1:8787')
    .option('-H, --header <name: value>', 'a custom header that the service sends', collect)
    .option('--name <name>', 'the name of the app (default: that of the package)')
    .option('--db <file>', 'keep the data in a file', ':memory:')
    .option('--seed <name>', `the data to begin with: ${SEED_NAMES.join(', ')}`, 'default')
    .option('--strict', 'refuse API requests that the contract does not show')
    .option('--open', 'open the workspace in the browser')
    .addHelpText('after', EXAMPLES)
  return runCommand(command, args, io, async (own: readonly string[], flags: DevFlags) => {
    const seed = SEED_NAMES.find((name) => name === flags.seed)
    if (seed === undefined) throw usageError(`--seed takes one of ${SEED_NAMES.join(', ')}.`)
    const env = withLocalSecrets(io.cwd, io.env)
    const settings = {
      url: flags.url,
      headers: parseHeaders(flags.header ?? [], io),
      ...(env['SIDECARD_API_TOKEN'] && { accessToken: env['SIDECARD_API_TOKEN'] }),
      name: flags.name ?? nameOfPackage(io.cwd),
      port: parseWhole('--port', flags.port, 0, 65_535),
      database: flags.db,
      seed,
      strict: flags.strict === true,
      open: flags.open === true,
      command: own,
    }
    return toldAsUsage(untilInterrupted((signal) => runDevSession(settings, io, signal)))
  })
}

/** A port that is taken and a file that cannot be opened are told like wrong usage. */
async function toldAsUsage(session: Promise<number>): Promise<number> {
  try {
    return await session
  } catch (error) {
    if (isSidecardError(error)) throw usageError(error.message)
    throw error
  }
}

function nameOfPackage(folder: string): string {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name?: unknown
    }
    if (typeof name === 'string' && name !== '') return name
  } catch {
    // No package: the folder has a name, too.
  }
  return basename(folder) || 'My app'
}
