import { randomBytes } from 'node:crypto'
import { resolveHeaders } from '../../project/resolve-headers.ts'
import { splitHeader } from '../endpoint-flags.ts'
import type { CliContext } from '../io.ts'
import { resolveVariables, sourceOfVariable, withLocalSecrets } from '../local-secrets.ts'
import type { SelectedApp } from './select-apps.ts'

/** The folder with local secrets, and the environment, which takes precedence. */
export interface Secrets extends Pick<CliContext, 'env'> {
  readonly folder: string
  /** Random values for secrets that the project lacks. They are also in `env`. */
  readonly generated?: Readonly<Record<string, string>>
}

/**
 * Returns the headers of an app. Those of the command line replace those of the
 * file.
 *
 * @throws {SidecardError} `usage` for a variable that is not set
 */
export function readAppHeaders(
  { headers, origin }: Pick<SelectedApp, 'headers' | 'origin'>,
  flags: readonly string[],
  { folder: cwd, env }: Secrets,
): Readonly<Record<string, string>> {
  const passed = flags.map(splitHeader)
  const names = new Set(passed.map(([name]) => name.toLowerCase()))
  const own = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()))
  const resolveAll = (entries: ReadonlyArray<readonly [string, string]>, place: string) =>
    entries.map(([name, text]) => {
      return [name, resolveVariables(text, `header "${name}"${place}`, { cwd, env })] as const
    })
  const place = origin === '' ? '' : ` (${origin})`
  return Object.fromEntries([...resolveAll(own, place), ...resolveAll(passed, '')])
}

/** Creates random values for the variables of headers that are not set. */
export function createMissingSecrets(
  { headers }: Pick<SelectedApp, 'headers'>,
  { folder, env }: Secrets,
): Readonly<Record<string, string>> {
  const { missing } = resolveHeaders(headers, withLocalSecrets(folder, env))
  return Object.fromEntries(
    missing.map((name) => [name, randomBytes(24).toString('base64url')] as const),
  )
}

/** Describes an app with the places of its values: `billing at http://localhost:8787/ (sidecard.json:6)`. */
export function describeApp({ name, url, headers, origin }: SelectedApp, secrets: Secrets): string {
  const variables = resolveHeaders(headers, {}).missing.flatMap((variable) => {
    if (secrets.generated?.[variable] !== undefined) return [`random ${variable}`]
    const source = sourceOfVariable(variable, secrets.folder, secrets.env)
    return source === undefined ? [] : [`${variable} of ${source}`]
  })
  const places = [origin, ...variables].filter((place) => place !== '')
  const shown = `${url.origin}${url.pathname}`
  return `${name === undefined ? shown : `${name} at ${shown}`}${places.length === 0 ? '' : ` (${places.join(', ')})`}`
}
