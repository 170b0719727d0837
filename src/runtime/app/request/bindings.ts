import type { Env } from 'hono'

/** The bindings of an app without a type argument: variables that may be missing. */
export type DefaultBindings = Record<string, string | undefined>

/**
 * The bindings in the type argument of `sidecard()`: those of a Hono environment,
 * or the argument itself.
 */
// While TypeScript infers the type of a nested call such as secretHeader(…), the argument is
// `never`.
export type BindingsOf<T> = [T] extends [never]
  ? DefaultBindings
  : T extends { Bindings: infer Bindings }
    ? Bindings
    : T extends { Variables: object }
      ? DefaultBindings
      : T

/** The type argument of `sidecard()` as a Hono environment. */
export type HonoEnvOf<T> = T extends { Bindings: object } | { Variables: object }
  ? T & Env
  : { Bindings: T extends object ? T : DefaultBindings }
