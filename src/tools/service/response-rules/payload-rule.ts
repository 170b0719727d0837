import type { PayloadIssueCode } from '../../../runtime/contract/issues.ts'
import type { RuleInfo } from '../response-rule.ts'

/** A rule that covers validation issues by code, at all paths or only at some. */
export interface IssueRule extends RuleInfo {
  readonly covers: readonly IssuePattern[]
}

/** Issue codes, and the places where a rule covers them. */
export interface IssuePattern {
  readonly codes: readonly PayloadIssueCode[]
  /** @default 'anywhere' */
  readonly at?: IssuePlace
}

/**
 * The places that rules distinguish: the payload itself, its three fields, the
 * `type` of a component, and every other place.
 */
export const ISSUE_PLACES = [
  'payload',
  'version',
  'header',
  'components',
  'component.type',
  'elsewhere',
] as const

/** One of the {@link ISSUE_PLACES}. */
export type IssuePlace = (typeof ISSUE_PLACES)[number]

/** Returns the place that a path belongs to. */
export function classifyPath(path: string): IssuePlace {
  if (path === '') return 'payload'
  if (path === 'version' || path === 'header' || path === 'components') return path
  return /^components\[\d+\](?:\.components\[\d+\])?\.type$/.test(path)
    ? 'component.type'
    : 'elsewhere'
}

/** The issue codes for a value of the wrong type. */
export const WRONG_TYPE = [
  'invalid_type',
  'unawaited_promise',
  'unreadable',
] as const satisfies readonly PayloadIssueCode[]
