import type { z } from 'zod'
import { ControlError, invalidBody } from './problem.ts'

/** The most bytes of a control request. */
const MAX_BODY_BYTES = 1_048_576

/**
 * The JSON body of a control request, checked.
 *
 * @throws {ControlError} `unsupported_media_type`, `body_too_large`, `invalid_json` or `invalid_body`
 */
export async function readBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new ControlError(415, 'unsupported_media_type', 'Changes are sent as application/json.')
  }
  const parsed = schema.safeParse(parseJson(await readText(request)))
  if (!parsed.success) throw invalidBody(parsed.error)
  return parsed.data
}

async function readText(request: Request): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) {
      throw new ControlError(413, 'body_too_large', 'A control request has at most a megabyte.')
    }
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text)
  } catch {
    throw new ControlError(400, 'invalid_json', 'The body is not JSON.')
  }
}
