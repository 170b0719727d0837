/** The headers that a server sends after the body, by name. `Response` has no place for them. */
const TRAILERS = new WeakMap<Response, () => Readonly<Record<string, string>>>()

/** Adds a function that returns the trailers, which are known at the end of the body. */
export function addTrailers(
  response: Response,
  read: () => Readonly<Record<string, string>>,
): Response {
  TRAILERS.set(response, read)
  return response
}

/** Returns the trailers of a response whose body has been read. */
export function readTrailers(response: Response): Readonly<Record<string, string>> {
  return TRAILERS.get(response)?.() ?? {}
}
