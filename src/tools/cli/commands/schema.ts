import { readFile } from 'node:fs/promises'
import { packageFile } from '../../emulator/store/package-folder.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { createCommand } from '../flags.ts'
import type { CliContext } from '../io.ts'
import { runCommand } from '../run-command.ts'

const EXAMPLES = `
Exit codes: 0 printed, 2 invalid usage.

Examples:
  sidecard schema > payload.schema.json
  npx -p ajv-cli -p ajv-formats ajv validate \\
    --spec=draft2020 -c ajv-formats \\
    -s payload.schema.json -d payload.json
`

/** Runs `sidecard schema`. @returns the exit code */
export async function run(args: readonly string[], io: CliContext): Promise<number> {
  const command = createCommand('schema', [], EXAMPLES).description(
    'Print the JSON Schema (draft 2020-12) of the payload, schema version 1.0.0.',
  )
  return runCommand(command, args, io, async () => {
    io.stdout.write(await readFile(packageFile('schema/1.0.0.json'), 'utf8'))
    return EXIT_CODES.ok
  })
}
