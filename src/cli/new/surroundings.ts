import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readManifest } from '../read-manifest.ts'

/** The repository and the workspace around a new project. */
export interface Surroundings {
  readonly isInRepository: boolean
  readonly isInWorkspace: boolean
}

/** Looks for a git repository and a workspace in the folders above a new project. */
export async function findSurroundings(project: string): Promise<Surroundings> {
  const folders: string[] = []
  for (let folder = dirname(project); folders.at(-1) !== folder; folder = dirname(folder)) {
    folders.push(folder)
  }
  const findIn = async (test: (folder: string) => Promise<boolean>) =>
    (await Promise.all(folders.map(test))).includes(true)
  return {
    isInRepository: await findIn((folder) => exists(join(folder, '.git'))),
    isInWorkspace: await findIn(isWorkspace),
  }
}

async function isWorkspace(folder: string): Promise<boolean> {
  return 'workspaces' in readManifest(folder) || exists(join(folder, 'pnpm-workspace.yaml'))
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
