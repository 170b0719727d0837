import type { CliIo } from '../io.ts'

/** Runs a command with the arguments after its name. @returns the exit code */
export type RunCommand = (args: readonly string[], io: CliIo) => Promise<number>

/** A command as the help lists it; its code is loaded when it runs. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<RunCommand>
}

/** Every command, in the order in which a newcomer meets them. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'new',
    summary: 'Make a new sidebar app',
    load: async () => (await import('./new.ts')).runNewCommand,
  },
  {
    name: 'dev',
    summary: 'Show your app in an emulated sidebar, live',
    load: async () => (await import('./dev.ts')).runDevCommand,
  },
  {
    name: 'check',
    summary: 'Check any endpoint against the contract',
    load: async () => (await import('./check.ts')).runCheckCommand,
  },
  {
    name: 'render',
    summary: 'Show a payload as the sidebar would',
    load: async () => (await import('./render.ts')).runRenderCommand,
  },
  {
    name: 'record',
    summary: 'Save an answer as a fixture for tests',
    load: async () => (await import('./record.ts')).runRecordCommand,
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schema of the payload',
    load: async () => (await import('./schema.ts')).runSchemaCommand,
  },
]
