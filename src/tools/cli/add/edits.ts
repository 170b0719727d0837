import type { Project } from './project.ts'
import { mergeManifests } from '../new/merge-manifests.ts'
import {
  ACTIONS,
  type FoundParts,
  readRecipeFile,
  type Recipe,
  type RecipeVariable,
} from './recipes.ts'

/** A change to a file of the project. */
export interface Edit {
  readonly path: string
  /** Returns the new text, or `undefined` if the file differs too much from the template's. */
  readonly change: (text: string) => string | undefined
  /** The text to add by hand if the command cannot; empty if the project works without it. */
  readonly instead?: (text: string) => string
}

type Variables = ReadonlyArray<readonly [string, RecipeVariable]>

/** The optional variables as schemas of zod/mini. An empty variable counts as absent. */
const SCHEMAS = {
  string: 'z.optional(z.string())',
  url: "z.optional(z.union([z.url(), z.literal('')]))",
  d1: 'z.optional(z.custom<D1Statements>())',
} as const

const NOUNS = { string: 'string', url: 'URL', d1: 'D1 database' } as const

/** The file with the list of all actions. */
export const ACTIONS_FILE = 'src/actions.ts'

/** Lists the edits of a recipe, in the order of the report. */
export async function listEdits(
  recipe: Recipe,
  { host }: Project,
  parts: readonly FoundParts[],
  packages: Parameters<typeof mergeManifests>[1],
): Promise<readonly Edit[]> {
  const { name, seed, readme } = recipe
  const variables = parts.flatMap((each) => Object.entries(each.variables))
  const isFirst = parts.some((each) => each.recipe === ACTIONS)
  const databases = variables.filter(([, { type }]) => type === 'd1')
  const missingIn = (text: string, isSecret = false): Variables =>
    variables
      .filter(([, { type }]) => !isSecret || type !== 'd1')
      .filter(([each]) => !new RegExp(`^\\s*(?:export )?['"]?${each}['"]?\\s*[:=]`, 'm').test(text))
  const ofVariables: readonly Edit[] = [
    {
      path: 'src/env.ts',
      change: (text) => addToSchema(text, missingIn(text)),
      instead: (text) =>
        missingIn(text)
          .map(([each, { type }]) => `${each}: an optional ${NOUNS[type]}`)
          .join('; '),
    },
    {
      path: host.secretsFile,
      change: (text) =>
        appendLines(
          text,
          missingIn(text, true).map(([each, { description }]) => `# ${description}.\n${each}=`),
        ),
      instead: (text) =>
        missingIn(text, true)
          .map(([each]) => `${each}=`)
          .join('; '),
    },
  ]
  return [
    ...(variables.length === 0 ? [] : ofVariables),
    ...(recipe.action === undefined || isFirst ? [] : [editActions(recipe)]),
    ...databases.map(([binding]) => addDatabase(binding)),
    ...(seed === undefined ? [] : [addSeed(name, seed, await readRecipeFile(name, seed))]),
    { path: 'package.json', change: (text) => mergeManifests(text, packages) },
    { path: 'README.md', change: (text) => addToReadme(text, readme) },
  ]
}

/** Inserts the variables after the only line with the secret. */
function addToSchema(text: string, missing: Variables): string | undefined {
  const [line, ...others] = text.match(/^[ \t]*SIDECARD_SECRET: z\..*,$/gm) ?? []
  const isMini = /^import .* from ['"]zod\/mini['"];?$/m.test(text)
  if (line === undefined || others.length > 0 || !isMini) return undefined
  const indent = line.slice(0, line.indexOf('S'))
  const lines = missing.flatMap(([name, { type, description }]) => [
    `\n${indent}/** ${description}. */`,
    `\n${indent}${name}: ${SCHEMAS[type]},`,
  ])
  const changed = text.replace(line, () => line + lines.join(''))
  if (missing.every(([, { type }]) => type !== 'd1')) return changed
  return `import type { D1Statements } from 'sidecard/actions'\n${changed}`
}

function editActions(recipe: Recipe): Edit {
  const { name, action } = recipe
  return {
    path: ACTIONS_FILE,
    change: (text) => addToActions(text, recipe),
    instead: () => `${action}, from './${name}.ts', to the list of actions()`,
  }
}

/**
 * Adds an action to the list of {@link ACTIONS_FILE}; `undefined` if the file differs too much
 * from the one that a recipe adds.
 */
export function addToActions(text: string, { name, action }: Recipe): string | undefined {
  const [last] = text.match(/^import .*$/gm)?.slice(-1) ?? []
  const [list, names = ''] = /^ +list: \[([\w, ]*)\],$/m.exec(text) ?? []
  if (last === undefined || list === undefined) return undefined
  const all = [names, action].filter((one) => one !== '').join(', ')
  return text
    .replace(last, (line) => `${line}\nimport { ${action} } from './${name}.ts'`)
    .replace(list, () => list.replace(`[${names}]`, `[${all}]`))
}

/** Adds a D1 database to a configuration without one. */
function addDatabase(binding: string): Edit {
  const name = binding.toLowerCase()
  const entry = `"d1_databases": [{ "binding": "${binding}", "database_name": "${name}", "database_id": "local" }]`
  return {
    path: 'wrangler.jsonc',
    change(text) {
      const end = /,?\s*\}\s*$/.exec(text)
      if (end === null || text.includes('"d1_databases"')) return undefined
      const comment = `// \`npx wrangler d1 create ${name}\` prints the ID. During development, any ID works.`
      return `${text.slice(0, end.index)},\n  ${comment}\n  ${entry},\n}\n`
    },
    instead: () => entry,
  }
}

/** Appends the development data of a recipe to the project's. */
function addSeed(recipe: string, file: string, statements: string): Edit {
  return {
    path: 'dev/seed.sql',
    change(text) {
      const last = text.replaceAll(/--.*$/gm, '').trimEnd().at(-1) ?? ';'
      return last === ';' ? appendLines(text, [statements]) : undefined
    },
    instead: () => `the statements of node_modules/sidecard/recipes/${recipe}/${file}`,
  }
}

function appendLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text
  const start = text.trimEnd()
  return `${start}${start === '' ? '' : '\n'}${lines.join('\n').trimEnd()}\n`
}

/** Adds a row to the section about recipes. */
function addToReadme(text: string, row: string): string {
  const [section] = /^## Recipes$(?:(?!^## )[^])*/m.exec(text) ?? []
  if (section === undefined) return `${text.trimEnd()}\n\n## Recipes\n\n- ${row}\n`
  const rows = section.trimEnd()
  return text.replace(section, () => `${rows}\n- ${row}${section.slice(rows.length)}`)
}
