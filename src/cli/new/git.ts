import { runProgram } from './package-manager.ts'

/** The result of `createRepository()`. */
export type RepositoryResult = 'committed' | 'no_identity' | 'not_created'

/**
 * Creates a repository with a first commit, on the branch that the workflows use.
 * It does nothing if the folder is already in a repository or git is not
 * installed.
 */
export async function createRepository(folder: string): Promise<RepositoryResult> {
  const git = (...args: readonly string[]) => runProgram('git', args, folder, 'ignore')
  if (await git('rev-parse', '--is-inside-work-tree')) return 'not_created'
  if (!(await git('init', '--quiet', '--initial-branch=main'))) return 'not_created'
  await git('add', '--all')
  // Hooks from the user's own git templates must not reject the first commit.
  const commit = ['commit', '--quiet', '--no-verify', '--message', 'Create the project']
  return (await git(...commit)) ? 'committed' : 'no_identity'
}
