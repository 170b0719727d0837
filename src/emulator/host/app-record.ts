import type { ConnectionState } from '../../service/connection.ts'
import { SidecardError } from '../../internal/errors.ts'
import { parseEndpointUrl } from '../../service/target.ts'
import { assertHeaders } from '../../service/headers.ts'
import type { AppUpdate, AppInput } from '../protocol/workspace.ts'

/** A stored custom app, including the values of its headers. */
export interface AppRecord {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly widgets: readonly { readonly id: string; readonly name: string }[]
  readonly state: ConnectionState
}

/** The error of an invalid app. `path` is the invalid field. */
export class InvalidAppError extends SidecardError {
  override readonly name = 'InvalidAppError'
  readonly path: string

  constructor(path: string, message: string) {
    super('invalid_app', message)
    this.path = path
  }
}

const MAX_NAME = 80
const MAX_HEADERS = 20
const MAX_WIDGETS = 10

/** Headers that HTTP sets itself, so that a custom value would not arrive unchanged. */
const RESERVED_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|upgrade|te|trailer|expect)$/i

/** {@link AppInput} after reading. */
interface ReadAppInput extends AppInput {
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Creates an app.
 *
 * @throws {InvalidAppError}
 */
export function newApp(input: ReadAppInput, newId: (prefix: string) => string): AppRecord {
  const name = readName(input.name)
  return {
    id: newId('app'),
    name,
    url: readUrl(input.url),
    headers: readHeaders(input.headers ?? {}),
    widgets: readWidgets(input.widgets ?? [name]).map((widget) => ({
      id: newId('wid'),
      name: widget,
    })),
    state: 'disconnected',
  }
}

/**
 * Applies an update to an app. Widgets keep their IDs, by position.
 *
 * @throws {InvalidAppError}
 */
export function applyAppUpdate(
  app: AppRecord,
  change: AppUpdate,
  newId: (prefix: string) => string,
): AppRecord {
  const headers = new Map(Object.entries(app.headers))
  for (const [name, value] of Object.entries(change.headers ?? {})) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  return {
    ...app,
    name: change.name === undefined ? app.name : readName(change.name),
    url: change.url === undefined ? app.url : readUrl(change.url),
    headers: readHeaders(Object.fromEntries(headers)),
    widgets:
      change.widgets === undefined
        ? app.widgets
        : readWidgets(change.widgets).map((name, index) => ({
            id: app.widgets[index]?.id ?? newId('wid'),
            name,
          })),
  }
}

function readName(name: string, path = 'name'): string {
  const trimmed = name.trim()
  if (trimmed === '') throw new InvalidAppError(path, 'Enter a name.')
  if (trimmed.length > MAX_NAME) {
    throw new InvalidAppError(path, `The name must not exceed ${MAX_NAME} characters.`)
  }
  return trimmed
}

function readUrl(url: string): string {
  if (url.trim() === '') throw new InvalidAppError('url', 'Enter the URL of the endpoint.')
  try {
    return parseEndpointUrl(url.trim()).href
  } catch (error) {
    throw new InvalidAppError('url', error instanceof Error ? error.message : 'Enter a URL.')
  }
}

function readHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (Object.keys(headers).length > MAX_HEADERS) {
    throw new InvalidAppError('headers', `An app has at most ${MAX_HEADERS} custom headers.`)
  }
  for (const [name, value] of Object.entries(headers)) {
    if (RESERVED_HEADERS.test(name)) {
      throw new InvalidAppError(`headers.${name}`, 'HTTP sets this header. Use another name.')
    }
    try {
      assertHeaders({ [name]: value })
    } catch (error) {
      const message = error instanceof Error ? error.message : 'HTTP does not allow this header.'
      throw new InvalidAppError(`headers.${name}`, message)
    }
  }
  return headers
}

function readWidgets(names: readonly string[]): readonly string[] {
  if (names.length === 0 || names.length > MAX_WIDGETS) {
    throw new InvalidAppError('widgets', `Add 1 to ${MAX_WIDGETS} widgets.`)
  }
  return names.map((name, index) => readName(name, `widgets[${index}]`))
}
