import { Option } from 'commander'
import { type AppliedRecipe, applyRecipe } from '../add/apply-recipe.ts'
import { type Project, readProject } from '../add/project.ts'
import { listRecipes, type Recipe } from '../add/recipes.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { createCommand, findNamed } from '../flags.ts'
import { withInterruptSignal } from '../interruption.ts'
import type { CliContext } from '../io.ts'
import { installPackages, testCommand } from '../new/package-manager.ts'
import type { ProjectFs } from '../new/write-files.ts'
import { printJson, runCommand } from '../run-command.ts'

const EXAMPLES = `
Without a recipe, the command lists all recipes. A recipe
consists of source, a test and test data, in the style of
the project. Existing files are never overwritten. The
required packages are added to package.json and installed,
and the variables to src/env.ts and the local secrets.
Changes that the command could not make are listed under
"Not done".

Exit codes: 0 added, 1 not written or not installed,
2 invalid usage, 130 interrupted: no files were written.

Examples:
  sidecard add
  sidecard add http-source
`

interface AddFlags {
  readonly install: boolean
  readonly json?: boolean
}

const OPTIONS = [
  new Option('--no-install', 'do not install the packages'),
  new Option('--json', 'print the result as JSON'),
]

/** Runs `sidecard add`. @returns the exit code */
export async function run(
  args: readonly string[],
  io: CliContext,
  fs?: ProjectFs,
): Promise<number> {
  const command = createCommand('add', OPTIONS, EXAMPLES)
    .description('Add a recipe to the project in this folder.')
    .argument('[recipe]', 'the name of a recipe')
  return runCommand(command, args, io, async (name: string | undefined, flags: AddFlags) => {
    const recipes = await listRecipes()
    if (name === undefined) return printList(recipes, flags, io)
    const recipe = findNamed('recipe', name, recipes)
    const project = readProject(io.cwd, io.env['npm_config_user_agent'])
    const applied = await withInterruptSignal((signal) =>
      applyRecipe(recipe, project, { fs, signal }),
    )
    return finish(recipe, project, applied, flags, io)
  })
}

/** Installs the packages, and prints the result. */
async function finish(
  recipe: Recipe,
  project: Project,
  applied: AppliedRecipe,
  { install, json }: AddFlags,
  io: CliContext,
): Promise<number> {
  const { manager, folder, host } = project
  const { present, packages } = applied
  const isInstalled =
    packages.length === 0 ||
    (install && (await installPackages(manager, folder, json === true ? 'stderr' : 'inherit')))
  const isPresent = present.length > 0
  const { parts, ...result } = applied
  const variables = listVariables(parts)
  const next = isPresent ? [] : listSteps(applied, project, isInstalled)
  if (json === true) {
    const template = project.template ?? host.name
    printJson({ recipe: recipe.name, template, ...result, variables, isInstalled, next }, io)
  } else if (isPresent) {
    const files = present.join(', ')
    io.stdout.write(
      `This project already contains ${io.palette.bold(recipe.name)}: ${files}. No files were written.\n`,
    )
  } else printResult(recipe, applied, next, io)
  return install && !isInstalled ? EXIT_CODES.failed : EXIT_CODES.ok
}

/** Returns the variables that have to be set. A binding is in the configuration instead. */
function listVariables(parts: AppliedRecipe['parts']): readonly string[] {
  const all = parts.flatMap(({ variables }) => Object.entries(variables))
  return all.flatMap(([name, { type }]) => (type === 'd1' ? [] : [name]))
}

/** Returns the remaining steps. The last one names what the command did not check. */
function listSteps(
  { parts, files }: AppliedRecipe,
  project: Project,
  isInstalled: boolean,
): readonly string[] {
  const { manager, host, template } = project
  const names = listVariables(parts)
  const production = host.name === 'node' ? 'in the environment' : 'with npx wrangler secret put'
  return [
    ...(isInstalled ? [] : [`Run ${manager} install.`]),
    ...parts.flatMap(({ next, values }) =>
      next.map((step) =>
        step.replaceAll(/\{\{(\w+)\}\}/g, (_match, name: string) => values[name] ?? ''),
      ),
    ),
    ...(names.length === 0
      ? []
      : [
          `Set ${names.join(', ')} in ${host.secretsFile}, and ${production} in production. Without ${names.length === 1 ? 'it' : 'them'}, the agent sees "Not configured".`,
        ]),
    ...(files.some((path) => path.startsWith('migrations/')) && template === 'node-postgres'
      ? [`Run ${manager} run migrate with the DATABASE_URL of each server.`]
      : []),
    `Run ${manager} run typecheck and ${testCommand(manager)}. The command has not run them.`,
  ]
}

function printResult(
  { name }: Recipe,
  { files, edited, packages, manual }: AppliedRecipe,
  next: readonly string[],
  { stdout, palette }: CliContext,
): void {
  const list = (steps: readonly string[]) => steps.map((step) => `  - ${step}\n`).join('')
  stdout.write(`Added ${palette.bold(name)}: ${files.join(', ')}\n`)
  stdout.write(`Edited: ${edited.join(', ')}\n`)
  if (packages.length > 0) stdout.write(`New packages: ${packages.join(', ')}\n`)
  if (manual.length > 0) stdout.write(`\n${palette.yellow('Not done:')}\n${list(manual)}`)
  stdout.write(`\nNext:\n${list(next)}`)
}

function printList(recipes: readonly Recipe[], { json }: AddFlags, io: CliContext): number {
  const width = Math.max(...recipes.map(({ name }) => name.length))
  const lines = recipes.map(
    ({ name, description }) => `${io.palette.bold(name.padEnd(width))}  ${description}\n`,
  )
  if (json !== true) io.stdout.write(lines.join(''))
  else {
    const list = recipes.map(({ name, description, variables = {}, variants }) => {
      const templates = Object.keys(variants)
      return { name, description, variables: Object.keys(variables), templates }
    })
    printJson(list, io)
  }
  return EXIT_CODES.ok
}
