import type { Hono } from 'hono'
import type { ComponentCopier } from '../contract/validation.ts'

/**
 * The option `actions`, created by `actions()` of `sidecard/actions`. The app
 * knows it only as this interface, so that the bundle of an app without actions
 * does not contain them. It passes its own options and contexts as objects.
 */
export interface Actions<in B = unknown> extends ComponentCopier {
  /** Adds the path of the actions' page to the app. @internal */
  mount(app: Hono, options: object): void
  /** Parses JSON in which actions have a place but no link. @internal */
  parse(this: void, json: string): unknown
  /** Makes the links of a response. Never rejects. @internal */
  link<O extends { readonly json: string }>(outcome: O, ctx: object): Promise<O>
  /** Only a type: no value has it. @internal */
  env?(env: B): void
}
