import { SidecardError } from '../../../runtime/internal/errors.ts'
import { isJsonObject } from '../../service/endpoint/json-object.ts'
import { redactValue } from '../../internal/redact-value.ts'
import { normalizeActionLinks } from '../../internal/action-link.ts'
import { createRecording } from '../../service/responses/recording.ts'
import { type Customer, type Shape, toShape } from '../../service/responses/shape.ts'
import type { SaveResult } from '../protocol/exchanges.ts'
import type { ProjectFolder } from '../store/project-files.ts'
import { parseBody, readIds } from './read-logged.ts'
import type { LoggedExchange } from '../core/exchange-log.ts'

/**
 * Saves a data fetch as a fixture.
 *
 * @param log the other requests, which show the labels that all customers share
 * @throws {SidecardError} `not_saveable` for a request without a complete JSON
 * response; `invalid_name`, `file_exists`, `cannot_write`
 */
export function saveExchange(
  logged: LoggedExchange,
  log: readonly LoggedExchange[],
  { anonymize, name: given }: { readonly anonymize: boolean; readonly name: string | undefined },
  folder: ProjectFolder,
): SaveResult {
  const made = anonymize ? toShapeOf(logged, log) : { replaced: null, kept: [] }
  const { params, body } = { ...readCustomer(logged), ...made }
  const recording = createRecording(params, logged.request, logged.response!, body)
  const file = `test/fixtures/${chooseName(logged, given, folder)}.json`
  folder.write(file, `${JSON.stringify(recording, null, 2)}\n`)
  return { file, replaced: made.replaced, kept: made.kept }
}

/** Returns the given name, or an unused one with the app and the outcome. */
function chooseName(
  { appName, outcome }: LoggedExchange,
  name: string | undefined,
  folder: ProjectFolder,
): string {
  if (name !== undefined) {
    if (/^[a-z\d](?:[a-z\d-]{0,62}[a-z\d])?$/i.test(name)) return name
    const message =
      'The name may contain letters, digits and hyphens, at most 64. Choose another name.'
    throw new SidecardError('invalid_name', message)
  }
  const words = `${appName}-${outcome}`.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')
  const stem = words.replace(/^-/, '').slice(0, 50).replace(/-$/, '')
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? stem : `${stem}-${count}`
    if (!folder.has(`test/fixtures/${candidate}.json`)) return candidate
  }
}

/** Returns the newest responses of the app for other customers. */
function findOthers(logged: LoggedExchange, log: readonly LoggedExchange[]): readonly unknown[] {
  const idsOf = ({ parameters }: LoggedExchange) => {
    const { issue_id: _issue, widget_id: _widget, ...ids } = readIds(parameters)
    return JSON.stringify(ids)
  }
  const newest = new Map<string, LoggedExchange>()
  for (const each of log) {
    const isOfApp = each.appId === logged.appId && each.outcome === 'rendered'
    if (isOfApp && !newest.has(idsOf(each))) newest.set(idsOf(each), each)
  }
  newest.delete(idsOf(logged))
  return [...newest.values()].map(({ response }) => parseBody(response?.body ?? ''))
}

/** Returns the response with replaced texts. Secrets were replaced when the request was logged. */
export function toShapeOf(logged: LoggedExchange, log: readonly LoggedExchange[]): Shape {
  return toShape(readCustomer(logged), { others: findOthers(logged, log) })
}

/** @throws {SidecardError} `not_saveable` for a request without a complete JSON response */
function readCustomer({ response, kind, parameters }: LoggedExchange): Customer {
  const body = response === null ? undefined : parseBody(response.body)
  if (kind !== 'fetch_data' || response?.truncated !== false || !isJsonObject(body)) {
    const message = 'Only a data fetch with a complete JSON object as its response can be saved.'
    throw new SidecardError('not_saveable', message)
  }
  return { params: readIds(parameters), body: redactValue(body, normalizeActionLinks) }
}
