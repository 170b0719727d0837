import { runCli } from '../../src/tools/cli/program.ts'
import { PLAIN } from '../../src/tools/internal/palette.ts'

// Each of the commands that run at the same time listens for signals.
process.setMaxListeners(100)

/** Runs the CLI in process and returns its output. */
export async function cli(
  args: readonly string[],
  {
    env = {},
    stdin = '',
    columns = 80,
    cwd = process.cwd(),
  }: { env?: Record<string, string>; stdin?: string; columns?: number; cwd?: string } = {},
) {
  let stdout = ''
  let stderr = ''
  const exitCode = await runCli(args, {
    stdin: (async function* () {
      yield stdin
    })(),
    stdout: { write: (text: string) => (stdout += text), columns },
    stderr: { write: (text: string) => (stderr += text) },
    env,
    cwd,
    palette: PLAIN,
    color: false,
  })
  return { exitCode, stdout, stderr }
}
