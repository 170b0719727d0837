import { expect } from 'vitest'
import type { Workspace } from './workspace.ts'

/** Closes a workspace, and fails if there were violations. */
export async function closeWorkspace(workspace: Workspace): Promise<void> {
  const { violations } = workspace
  await workspace[Symbol.asyncDispose]()
  expect(violations).toEqual([])
}
