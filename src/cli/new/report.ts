import { parseEnv } from 'node:util'
import type { CliContext } from '../io.ts'
import { type PackageManager, testCommand } from './package-manager.ts'
import type { Surroundings } from './surroundings.ts'
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
  readonly surroundings: Surroundings
}

/** Prints what was created and what is left to do. */
export function printProject(project: CreatedProject, { stdout, palette }: CliContext): void {
  const { name, template } = project
  const { bold, dim } = palette
  const steps = listSteps(project).map(({ command, says }) =>
    says === undefined ? `  ${command}\n` : `  ${command.padEnd(15)} ${dim(`# ${says}`)}\n`,
  )
  const notes = listNotes(project).map((note) => `\n${note}\n`)
  stdout.write(
    `\nCreated ${bold(name)} (${template.host.summary}; data: ${template.data.summary}). A random secret for this machine is in ${template.host.secretsFile}.\n\nNext:\n${steps.join('')}${notes.join('')}`,
  )
}

/** Prints the same for programs. */
export function printProjectJson(project: CreatedProject, { stdout }: CliContext): void {
  const { name, folder, template, manager, files, isInstalled, isCommitted } = project
  const result = {
    name,
    folder,
    template: template.host.name,
    data: template.data.name,
    packageManager: manager,
    secretsFile: template.host.secretsFile,
    files: files.map(({ path }) => path).toSorted(),
    variables: listVariables(project),
    isInstalled,
    isCommitted,
    notes: listNotes(project),
    next: listSteps(project).map(({ command }) => command),
  }
  stdout.write(`${JSON.stringify(result, undefined, 2)}\n`)
}

/** Returns the names of the variables in the file with local secrets, never their values. */
function listVariables({ files, template }: CreatedProject): readonly string[] {
  const { content = '' } = files.find(({ path }) => path === template.host.secretsFile) ?? {}
  return Object.keys(parseEnv(content))
}

interface Step {
  readonly command: string
  readonly says?: string
}

function listSteps({ name, manager, isInstalled }: CreatedProject): readonly Step[] {
  return [
    { command: `cd ${name}` },
    ...(isInstalled ? [] : [{ command: `${manager} install` }]),
    { command: `${manager} run dev`, says: 'start the emulator with live reload' },
    { command: testCommand(manager), says: 'run one test per state of the sidebar' },
    { command: `${manager} run check`, says: 'check the app against the contract' },
  ]
}

function listNotes({ surroundings, files }: CreatedProject): readonly string[] {
  const hasDockerfile = files.some(({ path }) => path === 'Dockerfile')
  return [
    ...(surroundings.isInRepository
      ? [
          'The folder is part of a repository, and GitHub only reads workflows in its root. Move .github/workflows/ci.yml there, and set its working directory to this folder.',
        ]
      : []),
    ...(surroundings.isInWorkspace && hasDockerfile
      ? [
          "The folder is in a workspace. Build the image with the root as the context, because the lock file is there, and adapt the Dockerfile's COPY lines.",
        ]
      : []),
  ]
}
