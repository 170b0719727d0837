/** What is known of an answer beside its data. */
export interface ApiResponse<T> {
  readonly data: T
  /** What the service calls this request, for its support. */
  readonly requestId: string | undefined
  readonly response: { readonly status: number; readonly headers: Headers }
  /** How many requests were sent. */
  readonly attempts: number
}

/** A call that is under way: await it for the data, or `withResponse()` for all there is. */
export interface ApiCall<T> extends Promise<T> {
  /** The data with the request id, the status and headers, and the number of attempts. */
  withResponse(): Promise<ApiResponse<T>>
}

/**
 * Makes the promise of an answer into the promise of its data. What is not used
 * is not derived: a rejection of a promise that nobody has would end a process.
 */
export function apiCall<T>(answering: Promise<ApiResponse<T>>): ApiCall<T> {
  const data = () => answering.then((response) => response.data)
  return {
    // oxlint-disable-next-line unicorn/no-thenable -- a call is awaited for its data
    then: (onData, onError) => data().then(onData, onError),
    catch: (onError) => data().catch(onError),
    finally: (onDone) => data().finally(onDone),
    withResponse: () => answering,
    [Symbol.toStringTag]: 'ApiCall',
  }
}
