import * as explain from '../explain.ts'
import { MAX_ISSUES, type PayloadIssue, type PayloadIssueCode } from '../issues.ts'
import { DEFAULT_URI_SCHEMES } from '../uri.ts'
import { Fields } from './fields.ts'

/** How a payload is judged. */
export interface WalkOptions {
  /**
   * The URI schemes that links and icons may have, in lower case (A9).
   * @default ['http', 'https']
   */
  readonly uriSchemes?: readonly string[] | undefined
  /**
   * What a field outside the contract's table is (A2): an issue, or left out of
   * the result. A divider's is always an issue: the contract says no other fields.
   * @default 'error'
   */
  readonly unknownFields?: 'error' | 'ignore' | undefined
  /**
   * The most components, those in cards counted.
   * @default 1_000_000
   */
  readonly maxComponents?: number | undefined
}

/** Ends even a proxy that pretends to hold endless components or items. */
const MAX_ENTRIES = 1_000_000

/**
 * Where a walk stands and what it found. The position is kept as numbers and
 * becomes a path only when there is an issue: that keeps the good case cheap.
 */
export class Walk {
  /** Of the object that is being judged; those of its children replace them. */
  readonly fields = new Fields()
  readonly issues: PayloadIssue[] = []
  readonly schemes: readonly string[]
  readonly ignoresUnknown: boolean
  readonly #maxComponents: number
  /** Cards and their children. */
  componentCount = 0
  #itemCount = 0
  /** Index in the payload's `components`; -1 when not there. */
  outer = -1
  /** Index in the card's `components`; -1 when not there. */
  inner = -1
  /** Index in the badge's `items`; -1 when not there. */
  item = -1
  inHeader = false
  /** Whether there is no use in going on. */
  isDone = false

  constructor(options: WalkOptions | undefined) {
    this.schemes = options?.uriSchemes ?? DEFAULT_URI_SCHEMES
    this.ignoresUnknown = options?.unknownFields === 'ignore'
    this.#maxComponents = options?.maxComponents ?? MAX_ENTRIES
  }

  /** Counts the component at the current place; false when it is one too many. */
  countComponent(): boolean {
    this.componentCount++
    return this.componentCount <= this.#maxComponents || this.#stop(this.#maxComponents)
  }

  /** Counts the badge item at the current place; false when it is one too many. */
  countItem(): boolean {
    this.#itemCount++
    return this.#itemCount <= MAX_ENTRIES || this.#stop(MAX_ENTRIES)
  }

  #stop(max: number): false {
    this.report('too_many_components', undefined, `is one too many: at most ${max} are allowed`)
    this.isDone = true
    return false
  }

  /** Notes an issue at a field of the current place, or at the place itself. */
  report(code: PayloadIssueCode, field: string | undefined, message: string): string {
    if (!this.isDone) this.issues.push({ path: this.#path(field), code, message })
    this.isDone ||= this.issues.length >= MAX_ISSUES
    return ''
  }

  #path(field: string | undefined): string {
    const steps: string[] = []
    if (this.outer >= 0) steps.push(`components[${this.outer}]`)
    if (this.inner >= 0) steps.push(`components[${this.inner}]`)
    if (this.item >= 0) steps.push(`items[${this.item}]`)
    if (this.inHeader) steps.push('header')
    const path = steps.join('.')
    if (field === undefined) return path
    if (!/^[A-Za-z_$][\w$]{0,39}$/.test(field)) return `${path}[${explain.excerpt(field)}]`
    return path === '' ? field : `${path}.${field}`
  }
}
