/**
 * The name of the method that returns an app's setup problems. A host calls it at
 * start, so that a missing secret is noticed during deployment. It is a global
 * symbol, because the host and the app may use two copies of the package.
 */
export const SETUP_PROBLEMS: unique symbol = Symbol.for('sidecard.setup')

/**
 * Returns one line for each problem of the environment bindings, such as a
 * missing secret or an invalid binding. The lines contain no values.
 */
export type SetupProblems = (env: unknown) => Promise<readonly string[]>
