import { signal } from '@preact/signals'
import type { RuleInfo } from '../../service/response-rule.ts'

/** The rules by ID; null until they are loaded. Their code is not part of the first load. */
export const ruleIndex = signal<ReadonlyMap<string, RuleInfo> | null>(null)

let loading: Promise<void> | null = null

/** Loads the rules once. */
export async function loadRules(): Promise<void> {
  loading ??= import('../../check/rules/index.ts').then(({ RULES }) => {
    ruleIndex.value = new Map(RULES.map((rule) => [rule.id, rule]))
  })
  try {
    await loading
  } catch {
    // The emulator cannot be reached. Showing the next rule tries again.
    loading = null
  }
}
