import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { resolveHeaders } from '../project/resolve-headers.ts'
import type { CliContext } from './io.ts'
import { usageError } from './run-command.ts'

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

/** Returns the place where a variable is set, for messages. */
export function sourceOfVariable(
  name: string,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (env[name] !== undefined) return 'the environment'
  return FILES.findLast((file) => readVariables(join(folder, file))[name] !== undefined)
}

/**
 * Replaces each `env:NAME` in a value with a variable of the environment or of the
 * folder's local secrets. In a fresh clone without local secrets, the message says
 * how to create them.
 *
 * @param user the header or option with the value, for messages
 * @throws {SidecardError} `usage` for a variable that is not set
 */
export function resolveVariables(
  text: string,
  user: string,
  { cwd, env }: Pick<CliContext, 'cwd' | 'env'>,
): string {
  const { headers, missing } = resolveHeaders({ value: text }, withLocalSecrets(cwd, env))
  if (missing.length === 0) return headers['value'] ?? ''
  const absent = FILES.find(
    (name) => existsSync(join(cwd, `${name}.example`)) && !existsSync(join(cwd, name)),
  )
  const hint = absent && ` Copy ${absent}.example to ${absent} and set the values.`
  throw usageError(
    `${missing[0]}, used by ${user}, is not set in the environment, .env or .dev.vars.${hint ?? ''}`,
  )
}

function readVariables(file: string): Record<string, string | undefined> {
  try {
    return parseEnv(decodeText(readFileSync(file)))
  } catch {
    return {}
  }
}

/** Decodes UTF-8, and also UTF-16 with a byte order mark, as Windows editors write it. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const isLittle = first === 0xff && second === 0xfe
  const isBig = first === 0xfe && second === 0xff
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes)
}
