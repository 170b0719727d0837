import { normalizeActionLinks } from '../../internal/action-link.ts'
import { isDeeperThan } from '../../internal/is-deeper-than.ts'
import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'
import { redactValue } from '../../internal/redact-value.ts'
import { anonymize } from '../../service/anonymize/anonymize.ts'
import type { FetchDataIds } from '../../service/query.ts'
import type { LoggedExchange } from './exchange-log.ts'

/**
 * Anonymizes a request for a file as `sidecard record` does; `keep` only removes
 * the tokens of actions. The body is parsed JSON, the text of a body that is not
 * JSON, or `undefined` without a response.
 */
export function anonymizeExchange(
  { parameters, response, message }: LoggedExchange,
  options: { readonly keep: boolean },
) {
  const params = readIds(parameters)
  const body = response === null ? undefined : parseBody(response.body)
  const { headers = {}, statusText = '' } = response ?? {}
  const texts = { body, headers, statusText, message }
  if (options.keep) {
    return { ...redactValue(texts, normalizeActionLinks), params, replaced: null, kept: [] }
  }
  // Nothing to redact here: secrets were replaced when the request was logged.
  const redact = (text: string) => text
  const found = anonymize({ params, body: texts }, { replace: [], keep: [], redact })
  return { ...found, ...(found.body as typeof texts) }
}

const IDS: ReadonlySet<string> = new Set(FETCH_DATA_PARAMETERS)

/** Reads the IDs of a data fetch from its parameters. */
export function readIds(parameters: LoggedExchange['parameters']): FetchDataIds {
  return Object.fromEntries(parameters.filter(([name]) => IDS.has(name)))
}

/** Deeper than any payload, and far below the depth at which recursion fails. */
const MAX_DEPTH = 100

/** Parses the body of a response. Text that is not JSON, or too deep, is returned unchanged. */
export function parseBody(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isDeeperThan(MAX_DEPTH, value) ? text : value
  } catch {
    return text
  }
}
