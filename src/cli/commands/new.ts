import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { isSidecardError } from '../../errors.ts'
import { closest } from '../../internal/closest.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { untilInterrupted } from '../interruption.ts'
import type { CliIo } from '../io.ts'
import { adaptFiles } from '../new/adapt-files.ts'
import { initRepository } from '../new/git.ts'
import { checkName } from '../new/name.ts'
import {
  PACKAGE_MANAGERS,
  type PackageManager,
  packageManagerOf,
  run,
} from '../new/package-manager.ts'
import { secretsFile } from '../new/secrets.ts'
import { readTemplate, type Template, TEMPLATES } from '../new/templates.ts'
import { checkTarget, type ProjectFs, writeProject } from '../new/write-project.ts'
import { refusalOfNode } from '../node-version.ts'
import { runCommand, usageError } from '../run-command.ts'

interface NewFlags {
  readonly template?: string
  readonly pm?: string
  readonly install: boolean
  readonly git: boolean
  readonly yes?: boolean
  readonly sidecard?: string
}

const EXAMPLES = `
Questions are asked on a terminal only, and never with
--yes or in CI: then the name is required, and the
template is ${TEMPLATES[0]?.name} unless you say otherwise.

Exit codes: 0 done, 1 not written or not installed, 2 wrong
usage, 130 interrupted: nothing was written.

Examples:
  sidecard new
  sidecard new billing-card --template workers --yes
  sidecard new billing-card --template node --pm pnpm
  npm create sidecard@latest billing-card
`

/** Runs `sidecard new`. @returns the exit code */
export async function runNewCommand(
  args: readonly string[],
  io: CliIo,
  fs?: ProjectFs,
): Promise<number> {
  const command = new Command('sidecard new')
    .description('Make a new sidebar app, in a folder of its own.')
    .argument('[name]', 'its name, which is also that of the folder')
    .option('--template <name>', TEMPLATES.map(({ name }) => name).join(', '))
    .option('--pm <name>', `${PACKAGE_MANAGERS.join(', ')} (default: the one that runs this)`)
    .option('--no-install', 'do not install the packages')
    .option('--no-git', 'do not make a git repository')
    .option('--yes', 'ask nothing')
    .option('--sidecard <spec>', 'another version of sidecard, or a file: of it')
    .addHelpText('after', EXAMPLES)
  return runCommand(command, args, io, async (given: string | undefined, flags: NewFlags) => {
    const isAsking = canAsk(flags, io)
    const known = flags.template === undefined ? undefined : findTemplate(flags.template)
    const manager = findManager(flags.pm, io)
    if (given !== undefined) await checkTarget(resolve(io.cwd, checkName(given)))
    const name = given ?? (isAsking ? await (await import('../new/questions.ts')).askName() : '')
    if (name === undefined) return EXIT_CODES.interrupted
    if (name === '') throw usageError('Give it a name, such as sidecard new billing-card.')
    const target = resolve(io.cwd, name)
    await checkTarget(target)
    const template = known ?? (isAsking ? await askedTemplate() : TEMPLATES[0])
    if (template === undefined) return EXIT_CODES.interrupted
    const refusal = refusalOfNode(
      process.versions.node,
      template.node,
      `The template ${template.name}`,
    )
    if (refusal !== undefined) throw usageError(refusal)

    const version = flags.sidecard ?? `^${await ownVersion()}`
    const stored = await readTemplate(template, { name, sidecard: version })
    const files = adaptFiles(stored, manager)
    const example = files.find(({ path }) => path === `${template.secretsFile}.example`)
    const secrets = example === undefined ? [] : [secretsFile(example, template.secretsFile)]
    try {
      await untilInterrupted((signal) =>
        writeProject(target, [...files, ...secrets], { fs, signal }),
      )
    } catch (error) {
      if (!isSidecardError(error)) throw error
      io.stderr.write(`sidecard new: ${error.message}\n`)
      return error.code === 'interrupted' ? EXIT_CODES.interrupted : EXIT_CODES.failed
    }
    return finish({ name, target, template, manager, flags }, io)
  })
}

interface Written {
  readonly name: string
  readonly target: string
  readonly template: Template
  readonly manager: PackageManager
  readonly flags: NewFlags
}

async function finish(
  { name, target, template, manager, flags }: Written,
  io: CliIo,
): Promise<number> {
  if (flags.git) await initRepository(target)
  const isInstalled = flags.install && (await run(manager, ['install'], target, 'inherit'))
  if (flags.install && !isInstalled) {
    io.stderr.write(
      `sidecard new: the project is there, but "${manager} install" failed: run it again in ${name}.\n`,
    )
  }
  const { bold, dim } = io.palette
  // Not "bun test", which is Bun's own runner.
  const test = manager === 'bun' ? 'bun run test' : `${manager} test`
  const step = (command: string, says: string) => `  ${command.padEnd(15)} ${dim(`# ${says}`)}`
  io.stdout.write(`
${bold(name)} is ready (${template.summary}). A random secret for this machine is in ${template.secretsFile}.

Next:
  cd ${name}
${isInstalled ? '' : `  ${manager} install\n`}${step(`${manager} run dev`, 'the sidebar beside an emulated issue')}
${step(test, 'a test for each state of the sidebar')}
${step(`${manager} run verify`, 'the contract, on the app that dev runs')}
`)
  return flags.install && !isInstalled ? EXIT_CODES.failed : EXIT_CODES.ok
}

function canAsk({ yes }: NewFlags, { stdin, stdout, env }: CliIo): boolean {
  return yes !== true && !env['CI'] && stdin.isTTY === true && stdout.isTTY === true
}

async function askedTemplate(): Promise<Template | undefined> {
  const name = await (await import('../new/questions.ts')).askTemplate()
  return TEMPLATES.find((template) => template.name === name)
}

function findTemplate(name: string): Template {
  const found = TEMPLATES.find((template) => template.name === name)
  if (found !== undefined) return found
  const names = TEMPLATES.map((template) => template.name)
  const meant = closest(name, names)
  const hint = meant === undefined ? `one of ${names.join(', ')}` : `did you mean ${meant}?`
  throw usageError(`There is no such template: ${hint}`)
}

function findManager(name: string | undefined, { env }: CliIo): PackageManager {
  if (name === undefined) return packageManagerOf(env['npm_config_user_agent'])
  const found = PACKAGE_MANAGERS.find((each) => each === name)
  if (found !== undefined) return found
  throw usageError(`--pm takes one of ${PACKAGE_MANAGERS.join(', ')}.`)
}

async function ownVersion(): Promise<string> {
  const manifest = await readFile(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
