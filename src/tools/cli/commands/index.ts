import type { CliContext } from '../io.ts'

/** A command in the help. Its code is loaded when it runs. */
export interface CommandEntry {
  readonly summary: string
  readonly load: () => Promise<{
    /** Runs the command with the arguments after its name. @returns the exit code */
    readonly run: (args: readonly string[], io: CliContext) => Promise<number>
  }>
}

/** All commands by name, in the order of the help. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map(
  Object.entries({
    new: { summary: 'Create a sidebar app', load: () => import('./new.ts') },
    add: { summary: 'Add a recipe to your app', load: () => import('./add.ts') },
    init: { summary: 'Write sidecard.json for your project', load: () => import('./init.ts') },
    dev: {
      summary: 'Run your app in the emulator with live reload',
      load: () => import('./dev.ts'),
    },
    check: { summary: 'Check any endpoint against the contract', load: () => import('./check.ts') },
    render: { summary: 'Render a payload in the terminal', load: () => import('./render.ts') },
    record: { summary: 'Save a response as a test fixture', load: () => import('./record.ts') },
    schema: { summary: 'Print the JSON Schema of the payload', load: () => import('./schema.ts') },
  }),
)
