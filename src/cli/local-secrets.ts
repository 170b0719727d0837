import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/** Where `wrangler dev` and `node --env-file` read local secrets from. */
const FILES = ['.env', '.dev.vars']

/** The variables of a folder's local secrets; what the environment has wins. */
export function withLocalSecrets(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return { ...Object.assign({}, ...FILES.map((name) => read(join(folder, name)))), ...env }
}

function read(file: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
