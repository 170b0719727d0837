import type { CliContext } from '../io.ts'

/** A command in the help. Its code is loaded when it runs. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<{
    /** Runs the command with the arguments after its name. @returns the exit code */
    readonly run: (args: readonly string[], io: CliContext) => Promise<number>
  }>
}

/** All commands, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  { name: 'new', summary: 'Create a sidebar app', load: () => import('./new.ts') },
  { name: 'add', summary: 'Add a recipe to your app', load: () => import('./add.ts') },
  {
    name: 'init',
    summary: 'Write sidecard.json for your project',
    load: () => import('./init.ts'),
  },
  {
    name: 'dev',
    summary: 'Run your app in the emulator with live reload',
    load: () => import('./dev.ts'),
  },
  {
    name: 'check',
    summary: 'Check any endpoint against the contract',
    load: () => import('./check.ts'),
  },
  {
    name: 'render',
    summary: 'Render a payload in the terminal',
    load: () => import('./render.ts'),
  },
  {
    name: 'record',
    summary: 'Save a response as a test fixture',
    load: () => import('./record.ts'),
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schema of the payload',
    load: () => import('./schema.ts'),
  },
]
