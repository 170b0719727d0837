import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/** The files from which `node --env-file` and `wrangler dev` read local secrets. */
const FILES = ['.env', '.dev.vars']

/**
 * Returns the variables of a folder's local secrets and of the environment. The
 * environment takes precedence.
 */
export function withLocalSecrets(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return { ...Object.assign({}, ...FILES.map((name) => readVariables(join(folder, name)))), ...env }
}

/** Returns where a variable is set, for people. */
export function sourceOfVariable(
  name: string,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (env[name] !== undefined) return 'the environment'
  return FILES.findLast((file) => readVariables(join(folder, file))[name] !== undefined)
}

/** Returns a hint how to create the local secrets file if a fresh clone has only its example. */
export function missingSecretsHint(folder: string): string | undefined {
  const missing = FILES.find(
    (name) => existsSync(join(folder, `${name}.example`)) && !existsSync(join(folder, name)),
  )
  return missing && `Copy ${missing}.example to ${missing} and set the values.`
}

function readVariables(file: string): Record<string, string | undefined> {
  try {
    return parseEnv(decodeText(readFileSync(file)))
  } catch {
    return {}
  }
}

/** Decodes a file of a Windows editor too: UTF-16 or UTF-8, with a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const isLittle = first === 0xff && second === 0xfe
  const isBig = first === 0xfe && second === 0xff
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes)
}
