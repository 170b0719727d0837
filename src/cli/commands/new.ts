import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Command } from 'commander'
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
import { TEMPLATES } from '../new/templates.ts'
import { assertTargetIsFree, type ProjectFs, writeProject } from '../new/write-project.ts'
import { unsupportedNodeMessage } from '../node-version.ts'
import { runCommand, usageError } from '../run-command.ts'

interface NewFlags {
  readonly template?: string
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
the default template is ${TEMPLATES[0]?.name}.

Exit codes: 0 created, 1 not written or not installed,
2 invalid usage, 130 interrupted: no files were written.

Examples:
  sidecard new
  sidecard new billing-card --template workers --yes
  sidecard new billing-card --template node --pm pnpm
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
    .option('--template <name>', TEMPLATES.map(({ name }) => name).join(', '))
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
    const chosenTemplate =
      flags.template === undefined ? undefined : findNamed('template', flags.template, TEMPLATES)
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
    const template =
      chosenTemplate ?? (prompts === undefined ? TEMPLATES[0] : await prompts.promptTemplate())
    if (template === undefined) return EXIT_CODES.interrupted
    const unsupported = unsupportedNodeMessage(
      process.versions.node,
      template.node,
      `The template ${template.name}`,
    )
    if (unsupported !== undefined) throw usageError(unsupported)

    const version = flags.sidecard ?? `^${await ownVersion()}`
    const stored = await readTemplate(template, { name, sidecard: version })
    const files = adaptFiles(stored, manager)
    const example = files.find(({ path }) => path === `${template.secretsFile}.example`)
    const secrets = example === undefined ? [] : [createSecretsFile(example, template.secretsFile)]
    try {
      await withInterruptSignal((signal) =>
        writeProject(target, [...files, ...secrets], { fs, signal }),
      )
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
    const written = [...files, ...secrets]
    print(
      {
        name,
        folder: target,
        template,
        manager,
        files: written,
        isInstalled,
        isCommitted,
        surroundings,
      },
      io,
    )
    return flags.install && !isInstalled ? EXIT_CODES.failed : EXIT_CODES.ok
  })
}

function isInteractive({ yes, json }: NewFlags, { stdin, stdout, env }: CliContext): boolean {
  return (
    yes !== true && json !== true && !env['CI'] && stdin.isTTY === true && stdout.isTTY === true
  )
}

async function ownVersion(): Promise<string> {
  const manifest = await readFile(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
