import type { CliContext } from '../io.ts'

/** Runs a command with the arguments after its name. @returns the exit code */
export type RunCommand = (args: readonly string[], io: CliContext) => Promise<number>

/** A command in the help. Its code is loaded when it runs. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<RunCommand>
}

/** All commands, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'new',
    summary: 'Create a sidebar app',
    load: async () => (await import('./new.ts')).runNewCommand,
  },
  {
    name: 'add',
    summary: 'Add a recipe to your app',
    load: async () => (await import('./add.ts')).runAddCommand,
  },
  {
    name: 'init',
    summary: 'Write sidecard.json for your project',
    load: async () => (await import('./init.ts')).runInitCommand,
  },
  {
    name: 'dev',
    summary: 'Run your app in the emulator with live reload',
    load: async () => (await import('./dev.ts')).runDevCommand,
  },
  {
    name: 'check',
    summary: 'Check any endpoint against the contract',
    load: async () => (await import('./check.ts')).runCheckCommand,
  },
  {
    name: 'render',
    summary: 'Render a payload in the terminal',
    load: async () => (await import('./render.ts')).runRenderCommand,
  },
  {
    name: 'record',
    summary: 'Save a response as a test fixture',
    load: async () => (await import('./record.ts')).runRecordCommand,
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schema of the payload',
    load: async () => (await import('./schema.ts')).runSchemaCommand,
  },
]
