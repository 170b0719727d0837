/** An error of the emulated API. The format of its body is an assumption (A12). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  /** The invalid parameter. */
  readonly field: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    details: {
      readonly field?: string
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.field = details.field
    this.headers = details.headers ?? {}
  }
}
