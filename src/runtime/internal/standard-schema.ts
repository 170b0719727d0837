/**
 * The part of Standard Schema that Sidecard uses. All zod, valibot and arktype
 * schemas implement it.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** The result of a validation. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** One problem. Its message is never shown, because it may quote the value. */
export interface StandardIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/** The type that a schema accepts. */
export type InferInput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input']

/** The type that a schema returns. */
export type InferOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output']
