import type { Fault, RuleInfo } from '../../desk/rules/rule.ts'
import type { Evidence } from '../probe.ts'

/** A fault that fails the run although the rule's level alone would not. */
export interface CheckFault extends Fault {
  readonly fails?: boolean
}

/** What a rule says: what is wrong, or why it could not be judged. */
export type Judgement = { readonly faults: readonly CheckFault[] } | { readonly skipped: string }

/** A rule of the checker: what it is, and a pure function over what was learnt. */
export interface CheckRule extends RuleInfo {
  judge(evidence: Evidence): Judgement
}

/** Nothing was wrong. */
export const KEPT: Judgement = { faults: [] }

/** Could not be judged. */
export function skipped(reason: string): Judgement {
  return { skipped: reason }
}

/** One fault, or none. */
export function fault(found: CheckFault | undefined): Judgement {
  return { faults: found === undefined ? [] : [found] }
}

/** Faults by what was found: each once, with the number of answers that have it. */
export function summarize(
  found: ReadonlyArray<CheckFault & { readonly name: string }>,
  asked: number,
): readonly CheckFault[] {
  const groups = new Map<string, { fault: CheckFault; names: Set<string> }>()
  for (const { name, ...each } of found) {
    const key = JSON.stringify([each.path, each.message])
    const group = groups.get(key) ?? { fault: each, names: new Set() }
    group.names.add(name)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ fault: each, names }) =>
    names.size < asked ? { ...each, message: `${each.message} (${list([...names])})` } : each,
  )
}

/** Names for a sentence; many become a number. */
export function list(names: readonly string[], most = 3): string {
  if (names.length <= most) return names.join(', ')
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`
}
