import { type IncomingMessage, ServerResponse } from 'node:http'
import { problemBody, PROBLEM_HEADERS } from './problem.ts'

type WriteHeadArguments = Parameters<ServerResponse['writeHead']>

/**
 * A response that tolerates invalid headers of a route. The Fetch API allows
 * header values that Node rejects with an error, which would end the process. The
 * client gets a 500 problem response instead.
 */
export class GuardedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** The work of the listener that creates the response. */
  work: Promise<void> | undefined = undefined

  override writeHead(...args: unknown[]): this {
    try {
      return super.writeHead(...(args as WriteHeadArguments))
    } catch (error) {
      replaceResponse(this, error)
      return this
    }
  }
}

/**
 * Makes the response of another server tolerate invalid headers as well. It
 * replaces a method of the object, which a {@link GuardedResponse} does not need.
 */
export function guardResponse(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response)
  response.writeHead = (...args: unknown[]) => {
    try {
      return writeHead(...(args as WriteHeadArguments))
    } catch (error) {
      replaceResponse(response, error)
      return response
    }
  }
}

function replaceResponse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) throw error
  const reason = error instanceof Error ? error.message : 'unknown reason'
  process.stderr.write(`sidecard: a route returned an invalid response: ${reason}.\n`)
  for (const name of response.getHeaderNames()) response.removeHeader(name)
  const body = problemBody(500)
  response.writeHead(500, { ...PROBLEM_HEADERS, 'content-length': Buffer.byteLength(body) })
  response.end(body)
  // The response has already ended, so the rest of the route's body is discarded.
  response.write = () => true
  response.end = () => response
}
