import type { Project } from './project.ts'
import { mergeManifests } from '../new/merge-manifests.ts'
import { readRecipeFile, type Recipe, type RecipeVariable } from './recipes.ts'

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
} as const

/** Lists the edits of a recipe, in the order of the report. */
export async function listEdits(
  { name, variables = {}, seed, readme }: Recipe,
  { host }: Project,
  packages: Parameters<typeof mergeManifests>[1],
): Promise<readonly Edit[]> {
  const missingIn = (text: string): Variables =>
    Object.entries(variables).filter(
      ([each]) => !new RegExp(`^\\s*(?:export )?['"]?${each}['"]?\\s*[:=]`, 'm').test(text),
    )
  const ofVariables: readonly Edit[] = [
    {
      path: 'src/env.ts',
      change: (text) => addToSchema(text, missingIn(text)),
      instead: (text) =>
        missingIn(text)
          .map(([each, { type }]) => `${each}: an optional ${type === 'url' ? 'URL' : 'string'}`)
          .join('; '),
    },
    {
      path: host.secretsFile,
      change: (text) =>
        appendLines(
          text,
          missingIn(text).map(([each, { description }]) => `# ${description}.\n${each}=`),
        ),
      instead: (text) =>
        missingIn(text)
          .map(([each]) => `${each}=`)
          .join('; '),
    },
  ]
  return [
    ...(Object.keys(variables).length === 0 ? [] : ofVariables),
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
  return text.replace(line, () => line + lines.join(''))
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
