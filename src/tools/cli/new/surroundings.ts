import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readManifest } from '../read-manifest.ts'

const IN_REPOSITORY =
  'The folder is part of a repository, and GitHub only reads workflows in its root. Move .github/workflows/ci.yml there, and set its working directory to this folder.'
const IN_WORKSPACE =
  "The folder is in a workspace. Build the image with the root as the context, because the lock file is there, and adapt the Dockerfile's COPY lines."

/** Returns the steps that are necessary if a new project is in a git repository or a workspace. */
export function describeSurroundings(project: string, hasDockerfile: boolean): readonly string[] {
  const notes = new Set<string>()
  // GitHub reads the workflows of a submodule or a nested clone from its own root.
  const isRepository = existsSync(join(project, '.git'))
  for (let folder = dirname(project); ; folder = dirname(folder)) {
    const has = (name: string) => existsSync(join(folder, name))
    const isWorkspace = has('pnpm-workspace.yaml') || 'workspaces' in readManifest(folder)
    if (has('.git') && !isRepository) notes.add(IN_REPOSITORY)
    if (hasDockerfile && isWorkspace) notes.add(IN_WORKSPACE)
    if (dirname(folder) === folder) return [...notes]
  }
}
