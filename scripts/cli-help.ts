import { PLAIN } from '../src/tools/internal/palette.ts'
import { COMMANDS } from '../src/tools/cli/commands/index.ts'
import { runCli } from '../src/tools/cli/program.ts'

/** A block with the help of a command. */
const HELP = /```text\nUsage: sidecard (\w+) [^]*?\n```/g

/** Returns the page with the help that each command prints, without its examples. */
export async function updateCliPage(page: string): Promise<string> {
  const helps = new Map<string, string>()
  for (const name of COMMANDS.keys()) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, in one process
    helps.set(name, await readHelp(name))
  }
  const shown = new Set<string>()
  const updated = page.replaceAll(HELP, (_block, name: string) => {
    shown.add(name)
    return `\`\`\`text\n${helps.get(name) ?? ''}\n\`\`\``
  })
  const missing = [...helps.keys()].filter((name) => !shown.has(name))
  if (missing.length > 0) throw new Error(`docs/cli.md has no help of ${missing.join(', ')}.`)
  return updated
}

async function readHelp(command: string): Promise<string> {
  let text = ''
  await runCli([command, '--help'], {
    stdin: (async function* () {})(),
    stdout: { write: (part: string) => (text += part), columns: 80 },
    stderr: { write: () => true },
    env: {},
    cwd: process.cwd(),
    palette: PLAIN,
    color: false,
  })
  return (text.split('\nExamples:\n')[0] ?? '').trimEnd()
}
