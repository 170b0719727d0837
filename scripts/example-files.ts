import { VERSION } from '../src/tools/emulator/store/package-folder.ts'
import { adaptFiles } from '../src/tools/cli/new/adapt-files.ts'
import { readTemplate } from '../src/tools/cli/new/read-template.ts'
import { type ProjectFile, TEMPLATES } from '../src/tools/cli/new/templates.ts'

/** The projects in `examples` that `sidecard new` would create, and the names of their templates. */
const EXAMPLES = { 'workers-http': 'workers', 'node-postgres': 'node-postgres' } as const

/**
 * Returns the files of these projects by folder, without the secrets of a new project. The name
 * of a project is that of its folder.
 */
export async function readExampleFiles(): Promise<ReadonlyMap<string, readonly ProjectFile[]>> {
  const projects = Object.entries(EXAMPLES).map(async ([name, template]) => {
    const found = TEMPLATES.find((each) => each.name === template)!
    const stored = await readTemplate(found, { name, version: VERSION, sidecard: `^${VERSION}` })
    return [name, adaptFiles(stored, 'npm')] as const
  })
  return new Map(await Promise.all(projects))
}
