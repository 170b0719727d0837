import type { z } from 'zod'
import { ControlError, invalidBody } from './problem.ts'

/** Deeper JSON is rejected before it is parsed, because recursion over it would fail. */
const MAX_DEPTH = 64

/**
 * Reads and validates the JSON body of a control request.
 *
 * @throws {ControlError} `unsupported_media_type`, `body_too_large`, `invalid_json` or `invalid_body`
 */
export async function readBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  maxBytes: number,
): Promise<z.infer<Schema>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new ControlError(415, 'unsupported_media_type', 'Send the body as application/json.')
  }
  const parsed = schema.safeParse(parseJson(await readText(request, maxBytes)))
  if (!parsed.success) throw invalidBody(parsed.error)
  return parsed.data
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  const parts: string[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      const limit = `The body must not exceed ${maxBytes / 1_048_576} MiB.`
      throw new ControlError(413, 'body_too_large', limit)
    }
    parts.push(decoder.decode(chunk, { stream: true }))
  }
  return parts.join('') + decoder.decode()
}

function parseJson(text: string): unknown {
  if (isDeep(text)) {
    const detail = `The JSON is nested more than ${MAX_DEPTH} levels deep.`
    throw new ControlError(400, 'invalid_json', detail)
  }
  try {
    return JSON.parse(text === '' ? '{}' : text)
  } catch {
    throw new ControlError(400, 'invalid_json', 'The body is not JSON.')
  }
}

/** Counts the open brackets outside of strings. */
function isDeep(text: string): boolean {
  let depth = 0
  let isString = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (isString && character === '\\') index += 1
    else if (character === '"') isString = !isString
    else if (isString) continue
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}
