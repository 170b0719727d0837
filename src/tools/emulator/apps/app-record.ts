import { SidecardError } from '../../../runtime/internal/errors.ts'
import { parseEndpointUrl } from '../../service/endpoint/target.ts'
import { assertHeaders } from '../../service/endpoint/headers.ts'
import type { AppUpdate } from '../protocol/workspace.ts'
import type { AppRecord } from '../store/documents.ts'

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

/**
 * Matches headers that HTTP clients set themselves, so that a custom value would
 * not arrive unchanged.
 */
const RESERVED_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|upgrade|te|trailer|expect)$/i

/**
 * Creates an app, by default with one widget of the same name.
 *
 * @throws {InvalidAppError}
 */
export function newApp(input: AppUpdate, newId: (prefix: string) => string): AppRecord {
  const { name = '', url = '', widgets = [name] } = input
  const empty = { id: newId('app'), headers: {}, widgets: [], state: 'disconnected' } as const
  return applyAppUpdate({ ...empty, name, url }, { ...input, name, url, widgets }, newId)
}

/**
 * Applies an update to an app. Widgets keep their IDs, by position.
 *
 * @throws {InvalidAppError}
 */
export function applyAppUpdate(
  app: AppRecord,
  { name, url, headers, widgets }: AppUpdate,
  newId: (prefix: string) => string,
): AppRecord {
  const merged = Object.entries({ ...app.headers, ...headers })
  const toWidget = (title: string, index: number) => {
    return { id: app.widgets[index]?.id ?? newId('wid'), name: title }
  }
  return {
    ...app,
    name: name === undefined ? app.name : readName(name),
    url: url === undefined ? app.url : readUrl(url),
    headers: readHeaders(merged.filter((entry): entry is [string, string] => entry[1] !== null)),
    widgets: widgets === undefined ? app.widgets : readWidgets(widgets).map(toWidget),
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
  return rethrow('url', () => parseEndpointUrl(url.trim()).href)
}

/** Adds the invalid field to an error. */
function rethrow<Result>(path: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw new InvalidAppError(path, error instanceof Error ? error.message : 'It is invalid.')
  }
}

function readHeaders(headers: ReadonlyArray<readonly [name: string, value: string]>) {
  if (headers.length > MAX_HEADERS) {
    throw new InvalidAppError('headers', `An app has at most ${MAX_HEADERS} custom headers.`)
  }
  for (const [name, value] of headers) {
    const path = `headers.${name}`
    if (RESERVED_HEADERS.test(name)) {
      throw new InvalidAppError(path, 'HTTP sets this header. Use another name.')
    }
    rethrow(path, () => assertHeaders({ [name]: value }))
  }
  return Object.fromEntries(headers)
}

function readWidgets(names: readonly string[]): readonly string[] {
  if (names.length === 0 || names.length > MAX_WIDGETS) {
    throw new InvalidAppError('widgets', `Add 1 to ${MAX_WIDGETS} widgets.`)
  }
  return names.map((name, index) => readName(name, `widgets[${index}]`))
}
