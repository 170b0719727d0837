import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from './package-manager.ts'

/** The result of `commitProject()`, with the reason why there is no commit, and a fix. */
export interface CommitResult {
  readonly isCommitted: boolean
  readonly problem?: string
}

/**
 * Commits a new project. In a clone, the commit goes to the current branch. In
 * any other folder, the function creates a repository first, on the branch that
 * the workflow uses. It does nothing if the folder is inside a repository, if git
 * is not installed, or if the commit would delete files that the clone has not
 * checked out.
 */
export async function commitProject(folder: string): Promise<CommitResult> {
  const git = (...args: readonly string[]) => runProgram('git', args, folder, 'ignore')
  const fail = (problem: string) => ({ isCommitted: false, problem })
  const isClone = existsSync(join(folder, '.git'))
  if (!isClone) {
    if (await git('rev-parse', '--is-inside-work-tree')) return { isCommitted: false }
    if (!(await git('init', '--quiet', '--initial-branch=main'))) return { isCommitted: false }
  } else if (await git('rev-parse', '--quiet', '--verify', 'HEAD')) {
    if (!(await git('diff-index', '--quiet', 'HEAD'))) {
      return fail(
        'The project was not committed, because the repository has files that the folder does not. Run git status in the project, and commit what you want to keep.',
      )
    }
  }
  await git('add', '--all', '--', ':(exclude).DS_Store')
  const commit = ['commit', '--quiet', '--message', 'Create the project']
  // In a new repository, hooks come from the user's git templates, and expect a finished project.
  if (await git(...commit, ...(isClone ? [] : ['--no-verify']))) return { isCommitted: true }
  return (await git('var', 'GIT_COMMITTER_IDENT'))
    ? fail('git could not commit. Run git commit in the project to see the reason.')
    : fail('git could not commit. Set user.name and user.email, then run git commit.')
}
