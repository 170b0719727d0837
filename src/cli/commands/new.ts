import { resolve } from 'node:path'
import { Command } from 'commander'
import { VERSION } from '../../emulator/store/package-folder.ts'
import { isSidecardError } from '../../internal/errors.ts'
import { oneOf } from '../../internal/read-options.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { findNamed, option } from '../flags.ts'
import { withInterruptSignal } from '../interruption.ts'
import type { CliContext } from '../io.ts'
import { adaptFiles } from '../new/adapt-files.ts'
import { createRepository } from '../new/git.ts'
import { validateName } from '../new/name.ts'
import {
  detectPackageManager,
  PACKAGE_MANAGERS,
  type PackageManager,
  run,
} from '../new/package-manager.ts'
import { createSecretsFile, readTemplate } from '../new/read-template.ts'
import { printProject, printProjectJson } from '../new/report.ts'
import { findSurroundings } from '../new/surroundings.ts'
import { DATA_SOURCES, type Host, HOSTS, listDataNames, TEMPLATES } from '../new/templates.ts'
import { assertTargetIsFree, type ProjectFs, writeProject } from '../new/write-files.ts'
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

/** Runs `sidecard new`. @returns the exit code */
export async function runNewCommand(
  args: readonly string[],
  io: CliContext,
  fs?: ProjectFs,
): Promise<number> {
  const command = new Command('sidecard new')
    .description('Create a sidebar app in a new folder.')
    .argument('[name]', 'project and folder name')
    .option('--template <host>', HOSTS.map(describeHost).join('; '))
    .option('--data <source>', DATA_SOURCES.map(({ name }) => name).join(', '))
    .addOption(
      option(
        '--pm <name>',
        `${PACKAGE_MANAGERS.join(', ')} (default: the one that runs the command)`,
        oneOf(...PACKAGE_MANAGERS),
      ),
    )
    .option('--no-install', 'do not install the packages')
    .option('--no-git', 'do not initialize a git repository')
    .option('--yes', 'skip all prompts')
    .option('--sidecard <spec>', 'the version of sidecard, or a file: spec')
    .option('--json', 'print JSON, without prompts')
    .addHelpText('after', EXAMPLES)
  return runCommand(command, args, io, async (argument: string | undefined, flags: NewFlags) => {
    const interactive = isInteractive(flags, io)
    const chosenHost =
      flags.template === undefined ? undefined : findNamed('template', flags.template, HOSTS)
    const chosenData =
      flags.data === undefined ? undefined : findNamed('data source', flags.data, DATA_SOURCES).name
    const hosts = HOSTS.filter(
      (each) => chosenData === undefined || listDataNames(each).includes(chosenData),
    )
    if (chosenHost !== undefined && !hosts.includes(chosenHost)) {
      const fitting = listDataNames(chosenHost).join(', ')
      throw usageError(
        `The template ${chosenHost.name} has no data source ${chosenData}. Use one of: ${fitting}.`,
      )
    }
    const manager = flags.pm ?? detectPackageManager(io.env['npm_config_user_agent'])
    if (argument !== undefined) await assertTargetIsFree(resolve(io.cwd, validateName(argument)))
    const prompts = interactive ? await import('../new/prompts.ts') : undefined
    const name = argument ?? (await prompts?.promptName())
    if (name === undefined) {
      if (interactive) return EXIT_CODES.interrupted
      throw usageError('Pass a name, such as sidecard new billing-card.')
    }
    const target = resolve(io.cwd, name)
    await assertTargetIsFree(target)
    const host = chosenHost ?? (await choose(hosts, prompts?.promptHost))
    if (host === undefined) return EXIT_CODES.interrupted
    const data = chosenData ?? (prompts === undefined ? 'http' : await prompts.promptData(host))
    if (data === undefined) return EXIT_CODES.interrupted
    const template = TEMPLATES.find((each) => each.host === host && each.data.name === data)
    if (template === undefined) throw usageError(`${host.name} has no data source ${data}.`)
    const unsupported = unsupportedNodeMessage(
      process.versions.node,
      host.node,
      `The template ${host.name}`,
    )
    if (unsupported !== undefined) throw usageError(unsupported)

    const placeholders = {
      name,
      version: VERSION,
      sidecard: flags.sidecard ?? `^${VERSION}`,
    }
    const stored = await readTemplate(template, placeholders)
    const files = [...adaptFiles(stored, manager), createSecretsFile(template)]
    try {
      await withInterruptSignal((signal) => writeProject(target, files, { fs, signal }))
    } catch (error) {
      if (!isSidecardError(error)) throw error
      io.stderr.write(`sidecard new: ${error.message}\n`)
      return error.code === 'interrupted' ? EXIT_CODES.interrupted : EXIT_CODES.failed
    }
    const isInstalled =
      flags.install &&
      (await run(manager, ['install'], target, flags.json === true ? 'stderr' : 'inherit'))
    if (flags.install && !isInstalled) {
      io.stderr.write(
        `sidecard new: the project was created, but "${manager} install" failed. Run it again in ${name}.\n`,
      )
    }
    const surroundings = await findSurroundings(target)
    // The repository is created after the installation, so that the first commit contains the lock
    // file.
    const repository = flags.git ? await createRepository(target) : 'not_created'
    if (repository === 'no_identity') {
      io.stderr.write(
        'sidecard new: git could not commit. Set user.name and user.email, then run git commit.\n',
      )
    }
    const isCommitted = repository === 'committed'
    const print = flags.json === true ? printProjectJson : printProject
    print(
      {
        name,
        folder: target,
        template,
        manager,
        files,
        isInstalled,
        isCommitted,
        surroundings,
      },
      io,
    )
    return flags.install && !isInstalled ? EXIT_CODES.failed : EXIT_CODES.ok
  })
}

function describeHost(host: Host): string {
  return `${host.name} (data: ${listDataNames(host).join(', ')})`
}

/** Prompts if there is a choice and a terminal. Otherwise, the first host is the default. */
async function choose(
  hosts: readonly Host[],
  prompt: ((hosts: readonly Host[]) => Promise<Host | undefined>) | undefined,
): Promise<Host | undefined> {
  return prompt === undefined || hosts.length === 1 ? hosts[0] : prompt(hosts)
}

function isInteractive({ yes, json }: NewFlags, { stdin, stdout, env }: CliContext): boolean {
  return (
    yes !== true && json !== true && !env['CI'] && stdin.isTTY === true && stdout.isTTY === true
  )
}
