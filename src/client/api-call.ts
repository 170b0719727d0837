/** A response of the API: its data, its request ID and the HTTP response. */
export interface ApiResponse<T> {
  readonly data: T
  /** The service's ID for the request. Include it in questions to the service's support. */
  readonly requestId: string | undefined
  readonly response: { readonly status: number; readonly headers: Headers }
  /** The number of requests that were sent. */
  readonly attempts: number
}

/** A pending call: await it for the data, or `withResponse()` for the whole response. */
export interface ApiCall<T> extends Promise<T> {
  /** Returns the data with the request ID, the status and headers, and the number of attempts. */
  withResponse(): Promise<ApiResponse<T>>
}

/**
 * Creates a call for a pending response. Its promises are created on use, because
 * an unhandled rejection of an unused one would end the process.
 */
export function createApiCall<T>(responsePromise: Promise<ApiResponse<T>>): ApiCall<T> {
  const data = () => responsePromise.then((response) => response.data)
  return {
    // oxlint-disable-next-line unicorn/no-thenable -- a call is awaited for its data
    then: (onData, onError) => data().then(onData, onError),
    catch: (onError) => data().catch(onError),
    finally: (onDone) => data().finally(onDone),
    withResponse: () => responsePromise,
    [Symbol.toStringTag]: 'ApiCall',
  }
}
