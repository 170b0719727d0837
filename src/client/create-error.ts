import { ClientError, type ClientErrorDetails } from './errors.ts'

/** The method and path of a call for messages, without IDs. */
export interface NamedCall {
  readonly method: string
  readonly label: string
}

/** Formats a problem with a call as one sentence. */
export function formatMessage({ method, label }: NamedCall, problem: string): string {
  return `${method} ${label}: ${problem}.`
}

/** Creates an error that names the method and the path of a call. */
export function createError(
  code: ClientError['code'],
  call: NamedCall,
  problem: string,
  details: ClientErrorDetails = {},
): ClientError {
  return new ClientError(code, formatMessage(call, problem), details)
}
