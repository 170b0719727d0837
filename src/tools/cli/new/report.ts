import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CliContext } from '../io.ts'
import { readManifest } from '../read-manifest.ts'
import { printJson } from '../run-command.ts'
import { type PackageManager, testCommand } from './package-manager.ts'
import { SECRET } from './read-template.ts'
import type { ProjectFile, Template } from './templates.ts'

/** A project that was created. */
export interface CreatedProject {
  readonly name: string
  readonly folder: string
  readonly template: Template
  readonly manager: PackageManager
  readonly files: readonly ProjectFile[]
  readonly isInstalled: boolean
  readonly isCommitted: boolean
}

/** Prints the created project and the remaining steps, or the same as JSON for programs. */
export function printProject(project: CreatedProject, asJson: boolean, io: CliContext): void {
  const { name, folder, template, manager, isInstalled, isCommitted } = project
  const { host, data } = template
  const files = project.files.map(({ path }) => path).toSorted()
  const notes = describeSurroundings(folder, files.includes('Dockerfile'))
  const steps: ReadonlyArray<readonly [command: string, comment?: string]> = [
    [`cd ${name}`],
    ...(isInstalled ? [] : ([[`${manager} install`]] as const)),
    [`${manager} run dev`, 'start the emulator with live reload'],
    [testCommand(manager), 'run one test per state of the sidebar'],
    [`${manager} run check`, 'check the app against the contract'],
  ]
  if (asJson) {
    const result = {
      name,
      folder,
      template: host.name,
      data: data.name,
      packageManager: manager,
      secretsFile: host.secretsFile,
      files,
      variables: [SECRET],
      isInstalled,
      isCommitted,
      notes,
      next: steps.map(([command]) => command),
    }
    printJson(result, io)
    return
  }
  const { bold, dim } = io.palette
  const next = steps.map(([command, comment]) =>
    comment === undefined ? `  ${command}` : `  ${command.padEnd(15)} ${dim(`# ${comment}`)}`,
  )
  io.stdout.write(
    `\nCreated ${bold(name)} (${host.summary}; data: ${data.summary}). A random secret for this machine is in ${host.secretsFile}.\n\nNext:\n${next.join('\n')}\n${notes.map((note) => `\n${note}\n`).join('')}`,
  )
}

const IN_REPOSITORY =
  'The folder is part of a repository, and GitHub only reads workflows in its root. Move .github/workflows/ci.yml there, and set its working directory to this folder.'
const IN_WORKSPACE =
  "The folder is in a workspace. Build the image with the root as the context, because the lock file is there, and adapt the Dockerfile's COPY lines."

/** Returns the steps that are necessary if a new project is in a git repository or a workspace. */
function describeSurroundings(project: string, hasDockerfile: boolean): readonly string[] {
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
