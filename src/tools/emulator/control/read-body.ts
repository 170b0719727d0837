import { SidecardError } from '../../../runtime/internal/errors.ts'
import { isRecord } from '../../../runtime/internal/read-options.ts'
import { mediaType } from '../../service/endpoint/media-type.ts'

/**
 * The maximum depth, which is checked before parsing, because parsing 32 MiB of
 * brackets takes ten seconds.
 */
const MAX_DEPTH = 64

/**
 * Reads the JSON object in the body of a control request. An empty body is an
 * empty object.
 *
 * @throws {SidecardError} `unsupported_media_type`, `invalid_json` or `invalid_body`
 */
export async function readBody(request: Request): Promise<object> {
  if (mediaType(request.headers.get('content-type') ?? undefined) !== 'application/json') {
    throw new SidecardError('unsupported_media_type', 'Send the body as application/json.')
  }
  const body = parseJson(await request.text())
  if (isRecord(body)) return body
  throw new SidecardError('invalid_body', 'The body must be an object.')
}

function parseJson(text: string): unknown {
  if (isDeep(text)) {
    const detail = `The JSON is nested more than ${MAX_DEPTH} levels deep.`
    throw new SidecardError('invalid_json', detail)
  }
  try {
    return JSON.parse(text === '' ? '{}' : text)
  } catch {
    throw new SidecardError('invalid_json', 'The body is not JSON.')
  }
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/g

/** Returns whether JSON is too deep, by counting the open brackets outside of strings. */
function isDeep(text: string): boolean {
  let depth = 0
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}
