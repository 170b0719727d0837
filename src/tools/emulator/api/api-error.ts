/** The parts of an error response that few errors have. */
export interface ApiErrorDetails {
  /** The invalid parameter. */
  readonly field?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** An error of the emulated API. The format of its body is an assumption (A12). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly details: ApiErrorDetails

  constructor(status: number, code: string, message: string, details: ApiErrorDetails = {}) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}
