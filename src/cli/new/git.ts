import { run } from './package-manager.ts'

/** Makes a repository on the branch that the workflows name, unless the folder is in one already. */
export async function initRepository(folder: string): Promise<void> {
  if (await run('git', ['rev-parse', '--is-inside-work-tree'], folder, 'ignore')) return
  // Without git there is no repository, and nothing else is amiss.
  await run('git', ['init', '--quiet', '--initial-branch=main'], folder, 'ignore')
}
