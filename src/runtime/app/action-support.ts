import type { Hono } from 'hono'
import type { ComponentCopier } from '../contract/validation.ts'

/**
 * The option `actions`, created by `actions()` of `sidecard/actions`. The app only
 * knows this interface, so that an app without actions does not bundle them. It
 * passes its own options and contexts as plain objects.
 */
export interface Actions<in B = unknown> extends ComponentCopier {
  /** Adds the path of the actions' page to the app. @internal */
  mount(app: Hono, options: object): void
  /** Parses JSON in which actions have a place but no link. @internal */
  parse(this: void, json: string): unknown
  /** Creates the links of a response. Never rejects. @internal */
  link<O extends { readonly json: string }>(outcome: O, ctx: object): Promise<O>
  /** Exists only as a type. @internal */
  env?(env: B): void
}
