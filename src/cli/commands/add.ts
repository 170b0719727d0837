import { Command } from 'commander'
import { isSidecardError } from '../../internal/errors.ts'
import { applyRecipe } from '../add/apply-recipe.ts'
import { readProject } from '../add/project.ts'
import { listRecipes, type Recipe } from '../add/recipes.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { findNamed } from '../flags.ts'
import { withInterruptSignal } from '../interruption.ts'
import type { CliContext } from '../io.ts'
import { run, testCommand } from '../new/package-manager.ts'
import type { ProjectFs } from '../new/write-project.ts'
import { runCommand } from '../run-command.ts'

const EXAMPLES = `
Without a recipe, the command lists all recipes. A recipe
consists of source, a test and test data, in the style of
the project. Existing files are never overwritten. The
required packages are added to package.json and installed.

Exit codes: 0 added, 1 not written or not installed,
2 invalid usage, 130 interrupted: no files were written.

Examples:
  sidecard add
  sidecard add http-source
`

/** Runs `sidecard add`. @returns the exit code */
export async function runAddCommand(
  args: readonly string[],
  io: CliContext,
  fs?: ProjectFs,
): Promise<number> {
  const command = new Command('sidecard add')
    .description('Add a recipe to the project in this folder.')
    .argument('[recipe]', 'the name of a recipe')
    .option('--no-install', 'do not install the packages')
    .addHelpText('after', EXAMPLES)
  const add = async (name: string | undefined, { install }: { readonly install: boolean }) => {
    const recipes = await listRecipes()
    if (name === undefined) return printList(recipes, io)
    const recipe = findNamed('recipe', name, recipes)
    const project = await readProject(io.cwd, io.env['npm_config_user_agent'])
    try {
      const { files, packages } = await withInterruptSignal((signal) =>
        applyRecipe(recipe, project, { fs, signal }),
      )
      const { bold } = io.palette
      io.stdout.write(`Added ${bold(recipe.name)}: ${files.join(', ')}\n`)
      if (packages.length > 0) io.stdout.write(`New packages: ${packages.join(', ')}\n`)
      const { manager, folder } = project
      const isInstalled =
        packages.length === 0 || (install && (await run(manager, ['install'], folder, 'inherit')))
      const steps = [
        ...(isInstalled ? [] : [`Run ${manager} install.`]),
        ...(recipe.next ?? []),
        `Run ${testCommand(manager)}.`,
      ]
      io.stdout.write(`\nNext:\n${steps.map((step) => `  - ${step}`).join('\n')}\n`)
      return install && !isInstalled ? EXIT_CODES.failed : EXIT_CODES.ok
    } catch (error) {
      if (!isSidecardError(error) || error.code === 'usage') throw error
      io.stderr.write(`sidecard add: ${error.message}\n`)
      return error.code === 'interrupted' ? EXIT_CODES.interrupted : EXIT_CODES.failed
    }
  }
  return runCommand(command, args, io, add)
}

function printList(recipes: readonly Recipe[], { stdout, palette }: CliContext): number {
  const width = Math.max(...recipes.map(({ name }) => name.length))
  for (const { name, description } of recipes) {
    stdout.write(`${palette.bold(name.padEnd(width))}  ${description}\n`)
  }
  return EXIT_CODES.ok
}
