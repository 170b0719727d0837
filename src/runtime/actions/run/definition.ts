import type { BindingsOf, DefaultBindings } from '../../app/request/bindings.ts'
import type { FetchDataContext } from '../../app/request/context.ts'
import type { Absent } from '../../builders/components/children.ts'
import type { Button, Component } from '../../contract/generated/types.ts'
import type { FetchDataParams } from '../../contract/parameters.ts'
import type { SectionCache } from '../../internal/cache-types.ts'
import type { InferOutput, StandardSchema } from '../../internal/standard-schema.ts'
import type { Form, FormValues } from '../fields/fields.ts'
import type { Agent, IdentifiedAgent } from '../sign-in/agent.ts'

/** The context of `show`, `form`, `authorize` and `canSetOutcome`: the one of `fetchData`, plus the agent. */
export interface ActionContext<T = DefaultBindings> extends FetchDataContext<T> {
  /** The agent who opened the page; `undefined` with `anyAgent()`. */
  readonly agent: Agent | undefined
}

/** The context of `run` and `lookUp`. */
export interface RunContext<T = DefaultBindings> extends ActionContext<T> {
  /**
   * A key for the action, its input and the values of the form. Pass it to the system
   * that you call. After a statement that nothing was done, a confirmation of the same
   * values has the same key. After a success or an `ActionError`, it has a new key.
   */
  readonly idempotencyKey: string
}

/** A confirmation whose outcome is unknown, for `lookUp`. */
export interface UnknownReceipt {
  /** The `ctx.idempotencyKey` that `run` received. */
  readonly idempotencyKey: string
  /** The values of the form, as `run` received them. */
  readonly values: Readonly<Record<string, unknown>>
  readonly agent: IdentifiedAgent | undefined
  readonly startedAt: Date
  readonly traceId: string
}

/** The outcome that `lookUp` found. */
export type LookedUp = 'done' | 'not_done' | 'unknown'

/** The content of an action's page: several components, one, or `null` for none. */
export type ActionContent = readonly (Component | Absent)[] | Exclude<Component | Absent, undefined>

/** A cached section that an action changes. */
export interface InvalidatedSection {
  readonly cache: SectionCache
  /** The title of the section. */
  readonly section: string
  /**
   * The customer, as the option `id` of `identify()` returns them. Omit it for a section
   * with `shared: true`, and for a section without a customer.
   */
  readonly customer?: string | number | bigint
  /** The option `key` of the section, if it has one. */
  readonly key?: readonly unknown[]
}

/** Options of `action()`. */
export interface ActionOptions<T, S extends StandardSchema, F extends Form> {
  /** Names the action in links and logs: lowercase letters, digits and hyphens, at most 40. */
  readonly name: string
  /** The label of the button, and the title of the page. */
  readonly label: string
  /**
   * A Standard Schema for the values that are fixed when the sidebar is rendered. They
   * must be JSON. Use IDs only, because a button with different input is a different
   * action. Inputs are equal if the schema returns the same values for them, in any
   * order of properties. `null` differs from an absent property.
   */
  readonly input: S
  /**
   * The fields that the agent fills in. A function can return initial values, limits
   * and choices for this customer. It is called for the page and again for the
   * confirmation.
   */
  readonly form?:
    | F
    | ((ctx: ActionContext<T>, input: InferOutput<S>) => F | PromiseLike<F>)
    | undefined
  /**
   * Returns the sentence that the agent confirms, such as "Refund 10.50 EUR to
   * Northwind". The receipt and the audit record contain it. @default the label
   */
  summary?(input: InferOutput<S>, values: FormValues<F>): string
  /**
   * Returns the content of the page, such as the customer that the action affects.
   * It must not change anything.
   */
  show(ctx: ActionContext<T>, input: InferOutput<S>): ActionContent | PromiseLike<ActionContent>
  /**
   * Performs the action, once. The page shows the returned components. Throw an
   * `ActionError` if nothing was done. After any other error, the outcome is
   * unknown.
   */
  run(
    ctx: RunContext<T>,
    input: InferOutput<S>,
    values: FormValues<F>,
  ): ActionContent | void | PromiseLike<ActionContent | void>
  /**
   * Returns a string that identifies what may only be done once, even with several
   * links.
   * @default each link once
   */
  uniqueKey?(input: InferOutput<S>, ids: FetchDataParams): string
  /**
   * Returns the cached sections to reload in addition to those that were shown with the
   * button, which are always reloaded.
   */
  alsoInvalidates?(input: InferOutput<S>): readonly InvalidatedSection[]
  /**
   * Returns whether the agent may perform the action. It is called before the form
   * is shown, without values, and again before the action runs, with values.
   * @default everyone who is signed in
   */
  authorize?(
    ctx: ActionContext<T>,
    input: InferOutput<S>,
    values: FormValues<F> | undefined,
  ): boolean | PromiseLike<boolean>
  /**
   * Asks the other system for the unknown outcome of a confirmation, for example by its
   * idempotency key. Return `not_done` only if the action can no longer happen. It is
   * called before the page is shown, at most once in ten seconds for a receipt.
   */
  lookUp?(
    ctx: RunContext<T>,
    input: InferOutput<S>,
    receipt: UnknownReceipt,
  ): LookedUp | PromiseLike<LookedUp>
  /**
   * Returns whether the agent may state an unknown outcome.
   * @default everyone who may confirm the same values
   */
  canSetOutcome?(ctx: ActionContext<T>, input: InferOutput<S>): boolean | PromiseLike<boolean>
  /**
   * Returns the details of the audit record, for example parts of the input and the
   * values. @default nothing
   */
  audit?(input: InferOutput<S>, values: FormValues<F>): unknown
  /**
   * Whether the agent reads the sentence and the values back before the action runs.
   * @default true for an action with `summary` and a number or money field
   */
  readonly review?: boolean | undefined
  /** The timeout of `run`, in milliseconds, at most 20,000. @default 15000 */
  readonly timeoutMs?: number | undefined
  /**
   * How long a request that `run` has sent can still have an effect after `run` has
   * ended, in milliseconds, at most a day. Until then, nobody can state that nothing was
   * done. Use 0 for your own database. @default 60000
   */
  readonly lateMs?: number | undefined
}

/** The key of the part of an action that only `actions()` uses. */
export const DEFINITION: unique symbol = Symbol.for('sidecard.action.definition') as never

/** The options of an action without its types. */
// oxlint-disable-next-line typescript/no-explicit-any -- the bindings have no type here
export type AnyActionOptions = ActionOptions<any, StandardSchema, Form>

/** An action without the types of its input and form. */
export interface ActionDefinition extends Pick<AnyActionOptions, 'name' | 'label' | 'input'> {
  readonly form: NonNullable<AnyActionOptions['form']>
  readonly timeoutMs: number
  readonly lateMs: number
  readonly review: boolean | undefined
  /** The given options, whose methods keep their `this`. */
  readonly options: AnyActionOptions
}

/** An action, created by {@link action}. */
export interface Action<in T, in I> {
  readonly name: string
  readonly label: string
  /**
   * Creates a button that opens the page of the action. The app that lists the
   * action adds the link when it writes the response, after every cache.
   *
   * @throws {SidecardError} `invalid_options` for an input that the schema rejects
   */
  button(this: void, input: I, options?: { readonly label?: string | undefined }): Button
  /** @internal */
  readonly [DEFINITION]: ActionDefinition
  /** Exists only as a type. @internal */
  env?(env: BindingsOf<T>): void
}
