import { resolve } from 'node:path'
import { Option } from 'commander'
import { VERSION } from '../../emulator/store/package-folder.ts'
import { oneOf } from '../../../runtime/internal/read-options.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { createCommand, findNamed, option } from '../flags.ts'
import { withInterruptSignal } from '../interruption.ts'
import type { CliContext } from '../io.ts'
import { adaptFiles } from '../new/adapt-files.ts'
import { commitProject, type CommitResult } from '../new/git.ts'
import { validateName } from '../new/name.ts'
import {
  detectPackageManager,
  installPackages,
  PACKAGE_MANAGERS,
  type PackageManager,
} from '../new/package-manager.ts'
import { createSecretsFile, readTemplate } from '../new/read-template.ts'
import type * as Prompts from '../new/prompts.ts'
import { printProject } from '../new/report.ts'
import { DATA_SOURCES, HOSTS, type Template, TEMPLATES } from '../new/templates.ts'
import { assertTargetIsFree, type ProjectFs, writeFiles, writeProject } from '../new/write-files.ts'
import { unsupportedNodeMessage } from '../node-version.ts'
import { runCommand, usageError } from '../run-command.ts'

interface NewFlags {
  readonly template?: string
  readonly data?: string
  readonly pm?: PackageManager
  readonly install: boolean
  readonly git: boolean
  readonly yes?: boolean
  readonly sidecard?: string
  readonly json?: boolean
}

const EXAMPLES = `
Prompts appear on a terminal only, and never with --yes,
--json or in CI. Without prompts, the name is required, and
the defaults are --template workers --data http.

Exit codes: 0 created, 1 not written or not installed,
2 invalid usage, 130 interrupted: no files were written.

Examples:
  sidecard new
  sidecard new billing-card --template workers --yes
  sidecard new billing-card --template node \\
    --data postgres --pm pnpm
  npm create sidecard@latest billing-card
`

const OPTIONS = [
  new Option(
    '--template <host>',
    HOSTS.map(({ name, data }) => `${name} (data: ${data.join(', ')})`).join('; '),
  ),
  new Option('--data <source>', DATA_SOURCES.map(({ name }) => name).join(', ')),
  option(
    '--pm <name>',
    `${PACKAGE_MANAGERS.join(', ')} (default: the one that runs the command)`,
    oneOf(...PACKAGE_MANAGERS),
  ),
  new Option('--no-install', 'do not install the packages'),
  new Option('--no-git', 'do not initialize a git repository'),
  new Option('--yes', 'skip all prompts'),
  new Option('--sidecard <spec>', 'the version of sidecard, or a file: spec'),
  new Option('--json', 'print JSON, without prompts'),
]

/** Runs `sidecard new`. @returns the exit code */
export async function run(
  args: readonly string[],
  io: CliContext,
  fs?: ProjectFs,
): Promise<number> {
  const command = createCommand('new', OPTIONS, EXAMPLES)
    .description('Create a sidebar app in a new folder.')
    .argument('[name]', 'project and folder name')
  return runCommand(command, args, io, async (argument: string | undefined, flags: NewFlags) => {
    const { json = false, install, git, sidecard = `^${VERSION}` } = flags
    const [first, ...others] = findTemplates(flags)
    const manager = flags.pm ?? detectPackageManager(io.env['npm_config_user_agent'])
    const prompts = isInteractive(flags, io) ? await import('../new/prompts.ts') : undefined
    if (argument === undefined && prompts === undefined) {
      throw usageError('Pass a name, such as sidecard new billing-card.')
    }
    const name = argument === undefined ? await prompts?.promptName() : validateName(argument)
    if (name === undefined) return EXIT_CODES.interrupted
    const target = resolve(io.cwd, name)
    const isClone = await assertTargetIsFree(target)
    const template = prompts === undefined ? first : await choose([first, ...others], prompts)
    if (template === undefined) return EXIT_CODES.interrupted
    const { host } = template
    const subject = `The template ${host.name}`
    const unsupported = unsupportedNodeMessage(process.versions.node, host.node, subject)
    if (unsupported !== undefined) throw usageError(unsupported)

    const stored = await readTemplate(template, { name, version: VERSION, sidecard })
    const files = [...adaptFiles(stored, manager), createSecretsFile(template)]
    const write = isClone ? writeFiles : writeProject
    await withInterruptSignal((signal) => write(target, files, { fs, signal }))
    const isInstalled =
      install && (await installPackages(manager, target, json ? 'stderr' : 'inherit'))
    const isFailed = install && !isInstalled
    if (isFailed) {
      io.stderr.write(
        `sidecard new: the project was created, but "${manager} install" failed. Run it again in ${name}.\n`,
      )
    }
    // The commit comes after the installation, so that it contains the lock file.
    const { isCommitted, problem }: CommitResult = git
      ? await commitProject(target)
      : { isCommitted: false }
    if (problem !== undefined) io.stderr.write(`sidecard new: ${problem}\n`)
    const project = { name, folder: target, template, manager, files, isInstalled, isCommitted }
    printProject(project, json, io)
    return isFailed ? EXIT_CODES.failed : EXIT_CODES.ok
  })
}

/**
 * Returns the templates that fit the flags.
 *
 * @throws {SidecardError} `usage` if there is none
 */
function findTemplates(flags: NewFlags): readonly [Template, ...Template[]] {
  const { template, data: source } = flags
  const host = template === undefined ? undefined : findNamed('template', template, HOSTS)
  const data = source === undefined ? undefined : findNamed('data source', source, DATA_SOURCES)
  const ofHost = TEMPLATES.filter((each) => !host || each.host === host)
  const [first, ...others] = ofHost.filter((each) => !data || each.data === data)
  if (first !== undefined) return [first, ...others]
  const fitting = ofHost.map((each) => each.data.name).join(', ')
  throw usageError(`The template ${template} has no data source ${source}. Use one of: ${fitting}.`)
}

/** Prompts for the host and the data source. @returns `undefined` if the user canceled */
async function choose(
  templates: readonly Template[],
  { promptItem }: typeof Prompts,
): Promise<Template | undefined> {
  const hosts = [...new Set(templates.map(({ host }) => host))]
  const host = await promptItem('Where will it run?', hosts)
  if (host === undefined) return undefined
  const ofHost = templates.filter((each) => each.host === host)
  const data = await promptItem(
    'Where is the data?',
    ofHost.map((each) => each.data),
  )
  return ofHost.find((each) => each.data === data)
}

function isInteractive({ yes, json }: NewFlags, { stdin, stdout, env }: CliContext): boolean {
  return (
    yes !== true && json !== true && !env['CI'] && stdin.isTTY === true && stdout.isTTY === true
  )
}
