import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, inject } from 'vitest'
import { TEMPLATES } from '../../src/tools/cli/new/templates.ts'
import { environment } from './environment.ts'
import type { Place } from './marks.ts'
import { root } from './root.ts'
import { runOrThrow } from './run-program.ts'

/** Returns the installed package. Call it in tests that `registry` does not skip. */
export function installed() {
  const provided = inject('installed')
  if (provided === null) throw new Error('There is no package registry.')
  return provided
}

/** Whether there is a package registry. Without one, tests are skipped. */
export const hasRegistry = inject('installed') !== null

/**
 * Makes the files that use the projects and their ports run one after the other.
 * The other files run at the same time.
 */
export function takeTurns(): void {
  if (!hasRegistry) return
  const turn = join(installed().folder, 'turn')
  beforeAll(async () => {
    while (!isCreated(turn)) await sleep(100)
    return () => rmSync(turn, { recursive: true })
  }, ALL_TURNS_MS)
}

const ALL_TURNS_MS = 1_800_000

function isCreated(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

/** Returns the folder of a place. The project of a template is created the first time. */
export async function openPlace(place: Place): Promise<string> {
  const { folder } = installed()
  if (place === 'clone') return root
  if (place === 'empty') return mkdtempSync(join(folder, 'empty-'))
  if (place === 'next-to-clone') {
    const parent = mkdtempSync(join(folder, 'next-to-clone-'))
    symlinkSync(root, join(parent, 'sidecard'))
    return parent
  }
  const project = join(folder, place)
  if (!existsSync(project)) await createProject(place)
  return project
}

/** Runs `sidecard new` with a real installation. */
async function createProject(place: Place): Promise<void> {
  const { folder, cli, tarball } = installed()
  const template = TEMPLATES.find(({ name }) => name === place)
  if (template === undefined) throw new Error(`There is no template ${place}.`)
  const options = ['--template', template.host.name, '--data', template.data.name]
  await runOrThrow(folder, cli, [
    'new',
    place,
    ...options,
    '--sidecard',
    `file:${tarball}`,
    '--yes',
  ])
}

/** Whether a place is the project of a template. */
export function isProject(place: Place): boolean {
  return place !== 'clone' && place !== 'empty' && place !== 'next-to-clone'
}

/**
 * Restores the files of a project, as they were before a page was followed. What a
 * page installed stays, so that the next page does not remove it.
 */
export function restoreProject(project: string): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: project, env: environment(), stdio: 'pipe' })
  git('add', 'package.json', 'package-lock.json')
  git('commit', '--allow-empty', '--quiet', '--message', 'Install packages')
  git('reset', '--quiet', '--hard')
  git('clean', '--quiet', '--force', '-d')
}
