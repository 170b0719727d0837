import type { Component } from './generated/types.ts'
import type { PayloadIssue, PayloadIssueCode } from './issues.ts'
import { DEFAULT_URI_SCHEMES, ICON_URI_SCHEMES } from './uri.ts'

/** Copies components that have no link yet: the buttons of actions. */
export interface ComponentCopier {
  /**
   * Returns the copy of a component, or `null` after reporting a problem. Returns
   * `undefined` for a component of another kind.
   *
   * @internal
   */
  copy(component: object, validation: Validation): Component | null | undefined
}

/** Options of `validatePayload()`. */
export interface ValidateOptions {
  /**
   * The URI schemes that links may have, in lowercase (A9). `'any'` allows every
   * scheme, except for script URIs, which are always invalid, and icons, which need
   * `http` or `https`.
   * @default ['http', 'https', 'mailto', 'tel']
   */
  readonly uriSchemes?: readonly string[] | 'any' | undefined
  /**
   * Whether a field outside the contract's tables (A2) is an issue or is omitted
   * from the result. On a divider it is always an issue.
   * @default 'error'
   */
  readonly unknownFields?: 'error' | 'ignore' | undefined
  /**
   * The maximum number of issues to return.
   * @default 20
   */
  readonly maxIssues?: number | undefined
  /**
   * The maximum number of components, including those in cards.
   * @default 1_000_000
   */
  readonly maxComponents?: number | undefined
  /** @internal */
  readonly actions?: ComponentCopier | undefined
}

/** The issues of an invalid value. */
export interface Invalid {
  readonly ok: false
  readonly issues: readonly PayloadIssue[]
  /** The number of issues beyond `maxIssues`. Validation stops at 10,000 of them. */
  readonly omittedCount: number
}

/** The JSON of a valid value, or its issues. */
export type EncodeResult =
  | { readonly ok: true; readonly json: string; readonly componentCount: number }
  | Invalid

/** The maximum number of issues that are counted beyond `maxIssues`. */
export const MAX_OMITTED = 10_000

/** The maximum number of components and items, which ends the validation of an endless proxy. */
const MAX_ENTRIES = 1_000_000

/** The state of one validation: its options, its counts and the issues so far. */
export class Validation {
  readonly linkSchemes: readonly string[] | 'any'
  readonly iconSchemes: readonly string[]
  readonly ignoresUnknownFields: boolean
  readonly actions: ComponentCopier | undefined
  readonly issues: PayloadIssue[] = []
  omittedCount = 0
  /** The number of components so far, including those in cards. */
  componentCount = 0
  isDone = false
  readonly #maxIssues: number
  readonly #maxComponents: number
  #itemCount = 0

  constructor(options: ValidateOptions = {}) {
    const { uriSchemes = DEFAULT_URI_SCHEMES } = options
    this.linkSchemes = uriSchemes
    const iconSchemes = ICON_URI_SCHEMES.filter((scheme) => uriSchemes.includes(scheme))
    // A list without http and https only restricts links, because icons have no other schemes.
    this.iconSchemes = iconSchemes.length > 0 ? iconSchemes : ICON_URI_SCHEMES
    this.actions = options.actions
    this.ignoresUnknownFields = options.unknownFields === 'ignore'
    this.#maxIssues = options.maxIssues ?? 20
    this.#maxComponents = options.maxComponents ?? MAX_ENTRIES
  }

  /** All issues so far, including the omitted ones. */
  get issueCount(): number {
    return this.issues.length + this.omittedCount
  }

  /** Counts a component. Returns false if it exceeds the maximum. */
  countComponent(): boolean {
    return ++this.componentCount <= this.#maxComponents || this.#stop(this.#maxComponents)
  }

  /** Counts a badge item. Returns false if it exceeds the maximum. */
  countItem(): boolean {
    return ++this.#itemCount <= MAX_ENTRIES || this.#stop(MAX_ENTRIES)
  }

  #stop(max: number): false {
    const message = `exceeds the maximum of ${max}`
    this.report('too_many_components', '', message, 'Show fewer components.')
    this.isDone = true
    return false
  }

  /**
   * Adds an issue. Its path starts at the object that is being validated;
   * {@link locate} prepends the rest later.
   */
  report(code: PayloadIssueCode, path: string, message: string, fix: string): undefined {
    if (this.room > 0) this.issues.push({ path, code, message, fix })
    else this.omit(1)
  }

  /** The number of issues that will still be returned, and not only counted. */
  get room(): number {
    return this.#maxIssues - this.issues.length
  }

  /** Counts issues that are not returned, if the number is positive. */
  omit(count: number): void {
    this.omittedCount = Math.min(this.omittedCount + Math.max(0, count), MAX_OMITTED)
    if (this.omittedCount === MAX_OMITTED) this.isDone = true
  }

  /**
   * Prepends a step to the paths of the issues from the given count on. Returns
   * whether the validation stops.
   */
  locate(from: number, step: string): boolean {
    for (let index = from; index < this.issues.length; index++) {
      const issue = this.issues[index]!
      const separator = issue.path === '' || issue.path.startsWith('[') ? '' : '.'
      this.issues[index] = { ...issue, path: step + separator + issue.path }
    }
    return this.isDone
  }
}
