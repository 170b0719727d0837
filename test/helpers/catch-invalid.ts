import { InvalidComponentError } from 'sidecard'

/** Returns the error of a builder. Throws if the builder accepts its arguments. */
export function catchInvalid(call: () => unknown): InvalidComponentError {
  try {
    call()
  } catch (error) {
    if (error instanceof InvalidComponentError) return error
    throw error
  }
  throw new Error('The builder accepted its arguments.')
}
