import type { Project } from './project.ts'
import { appendLines, type Edit, editText, insertAfter, readProjectFile } from './edit-text.ts'
import type { RecipeVariable } from './recipes.ts'

type Variables = Readonly<Record<string, RecipeVariable>>

/**
 * Adds the variables of a recipe to the schema of the environment and to the local
 * secrets. A variable that is already there is left unchanged.
 */
export async function addVariables(
  project: Project,
  variables: Variables,
): Promise<readonly Edit[]> {
  if (Object.keys(variables).length === 0) return []
  const { folder, host } = project
  const edit = async (path: string, change: Change): Promise<Edit | undefined> => {
    const before = await readProjectFile(folder, path)
    const missing = Object.entries(variables).filter(([name]) => !lists(before ?? '', name))
    if (missing.length === 0) return undefined
    let changed: string | undefined
    const content = before && editText(before, (text) => (changed = change(text, missing)) ?? text)
    if (before !== undefined && content !== undefined && changed !== undefined) {
      return { write: { path, before, content } }
    }
    return { step: describeStep(path, missing, before === undefined) }
  }
  const edits = await Promise.all([
    edit('src/env.ts', addToSchema),
    edit(host.secretsFile, addToSecrets),
  ])
  return edits.filter((each) => each !== undefined)
}

type Entries = ReadonlyArray<readonly [string, RecipeVariable]>

/** Returns the new text, or `undefined` if the place for the variables cannot be found. */
type Change = (text: string, missing: Entries) => string | undefined

function lists(text: string, name: string): boolean {
  return new RegExp(`^\\s*(?:export )?['"]?${name}['"]?\\s*[:=]`, 'm').test(text)
}

/** The schemas in the two forms of zod. An empty variable counts as absent. */
const SCHEMAS = {
  zod: { string: 'z.string().optional()', url: "z.url().or(z.literal('')).optional()" },
  'zod/mini': {
    string: 'z.optional(z.string())',
    url: "z.optional(z.union([z.url(), z.literal('')]))",
  },
} as const

const addToSchema: Change = (text, missing) => {
  const [, form] = /^import (?:\{ z \}|\* as z) from ['"](zod|zod\/mini)['"];?$/m.exec(text) ?? []
  const schemas = SCHEMAS[form as keyof typeof SCHEMAS]
  if (schemas === undefined) return undefined
  const lines = missing.flatMap(([name, { type, description }]) => [
    `/** ${description}. */`,
    `${name}: ${schemas[type]},`,
  ])
  return insertAfter(text, /^([ \t]*)SIDECARD_SECRET: z\..*,$/gm, lines)
}

const addToSecrets: Change = (text, missing) =>
  appendLines(
    text,
    missing.map(([name, { description }]) => `# ${description}.\n${name}=`).join('\n'),
  )

function describeStep(path: string, missing: Entries, isAbsent: boolean): string {
  const names = missing.map(([name]) => name).join(', ')
  if (isAbsent) return `${path} does not exist. Create it with ${names}.`
  const lines = missing.map(([name, { type }]) => {
    return path === 'src/env.ts'
      ? `${name}: an optional ${type === 'url' ? 'URL' : 'string'}`
      : `${name}=`
  })
  return `${path} differs from the template and was not changed. Add to it: ${lines.join('; ')}.`
}
