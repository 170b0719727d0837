import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { string, text } from '../../../runtime/internal/read-options.ts'
import { parseProject } from '../../project/parse-project.ts'
import { PROJECT_FILES } from '../../project/project.ts'
import { resolveHeaders } from '../../project/resolve-headers.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { createCommand, listOption, option } from '../flags.ts'
import type { CliContext } from '../io.ts'
import { sourceOfVariable, withLocalSecrets } from '../local-secrets.ts'
import { saveFile } from '../output-file.ts'
import { ignoreLocalFile } from '../apps/save-local.ts'
import { parseEndpointUrl } from '../../service/endpoint/target.ts'
import { nameOfProject, readManifest } from '../read-manifest.ts'
import { runCommand, usageError } from '../run-command.ts'
import { type CustomerFlag, localEndpoint, parseCustomers, splitHeader } from '../endpoint-flags.ts'
import { CUSTOMER_OPTIONS, UNKNOWN_OPTION } from './endpoint-options.ts'

interface InitFlags {
  readonly name?: string
  readonly url?: string
  readonly command?: string
  readonly header?: readonly string[]
  readonly customer?: readonly CustomerFlag[]
  readonly unknownShows?: readonly string[]
}

const EXAMPLES = `
Customers are written to sidecard.local.json, which git must
ignore, because they may be real. The command adds it to
.gitignore.

With --unknown-shows, a check proves that unknown customers
get nobody's data.

Exit codes: 0 written, 2 invalid usage, or a file exists.

Examples:
  sidecard init
  sidecard init --url http://localhost:3000/widget \\
    --command 'npm run server' \\
    -H 'x-sidecard-secret: env:SIDECARD_SECRET' \\
    --param account_id=acme --shows 'Acme Ltd' \\
    --unknown-shows 'No subscription'
`

const SECRET = 'SIDECARD_SECRET'

const OPTIONS = [
  ...CUSTOMER_OPTIONS,
  UNKNOWN_OPTION,
  option('--name <name>', 'app name (default: the package or folder name)', text),
  option(
    '--url <url>',
    'the URL of the endpoint on this machine (default: http://localhost and PORT or 8787)',
    text,
  ),
  option(
    '--command <command>',
    'the command that starts the server (default: the script server, start or dev of package.json)',
    text,
  ),
  listOption(
    '-H, --header <name: value>',
    'a custom header, with env:NAME for its secret (default: x-sidecard-secret, if SIDECARD_SECRET is set)',
    string,
  ),
]

/** Runs `sidecard init`. @returns the exit code */
export async function run(args: readonly string[], io: CliContext): Promise<number> {
  const command = createCommand('init', OPTIONS, EXAMPLES).description(
    'Write sidecard.json for an existing project, in any language.',
  )
  return runCommand(command, args, io, (flags: InitFlags) => init(flags, io))
}

async function init(flags: InitFlags, io: CliContext): Promise<number> {
  const [committed, local] = PROJECT_FILES
  const contents = {
    [committed]: describeProject(flags, io),
    [local]: describeCustomers(flags, io),
  }
  const files = Object.entries(contents)
    .filter(([, content]) => Object.values(content).length > 0)
    .map(([name, content]) => [name, `${JSON.stringify(content, null, 2)}\n`] as const)
  // An invalid file would stop every command, so it is not saved.
  parseProject(Object.fromEntries(files))
  const names = files.map(([name]) => name)
  const existing = names.find((name) => existsSync(join(io.cwd, name)))
  if (existing !== undefined) throw usageError(`${existing} exists. Edit it instead.`)
  await Promise.all(files.map(([name, content]) => saveFile(join(io.cwd, name), content)))
  await ignoreLocalFile(io.cwd)
  io.stdout.write(`Wrote ${new Intl.ListFormat('en').format(names)}. Next: sidecard check\n`)
  return EXIT_CODES.ok
}

function describeProject(flags: InitFlags, { cwd, env }: CliContext): object {
  const { scripts } = readManifest(cwd)
  const script = ['server', 'start', 'dev'].find((each) => scripts?.[each] !== undefined)
  const {
    name = nameOfProject(cwd),
    url = localEndpoint(withLocalSecrets(cwd, env)).replace('127.0.0.1', 'localhost'),
    command = script && `npm run ${script}`,
  } = flags
  const hasSecret = sourceOfVariable(SECRET, cwd, env) !== undefined
  const lines = flags.header ?? (hasSecret ? [`x-sidecard-secret: env:${SECRET}`] : [])
  const headers = Object.fromEntries(lines.map(readHeader))
  const schema = './node_modules/sidecard/schema/config.json'
  return {
    ...(existsSync(join(cwd, schema)) && { $schema: schema }),
    apps: {
      [name]: { url: parseEndpointUrl(url).href, command, ...(lines.length > 0 && { headers }) },
    },
    ...(flags.unknownShows && { unknown: { shows: flags.unknownShows } }),
  }
}

/** Parses a header, whose value must name a variable, because the file is committed. */
function readHeader(line: string): readonly [name: string, value: string] {
  const header = splitHeader(line)
  if (resolveHeaders({ value: header[1] }, {}).missing.length > 0) return header
  throw usageError(
    `The header ${JSON.stringify(header[0])} contains no variable. Use -H 'name: env:NAME', and set NAME in .env.`,
  )
}

function describeCustomers({ customer = [] }: InitFlags, io: CliContext): object {
  const customers = parseCustomers(customer, io).map(({ ids, shows }, index) => {
    const name = shows[0] ?? `Customer ${index + 1}`
    return [name, { ids, ...(shows.length > 0 && { shows }) }] as const
  })
  return customers.length === 0 ? {} : { customers: Object.fromEntries(customers) }
}
