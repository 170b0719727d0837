import { readField } from '../endpoint/json-object.ts'
import type { PayloadContainer } from './payload-texts.ts'
import type { Violation } from '../response-rule.ts'

interface Occurrence {
  readonly path: string
  /** The number of dividers before the component. */
  readonly group: number
  /** The unique label that starts the component's record; absent outside records. */
  readonly record: string | undefined
}

/**
 * Finds labels that repeat within a card. A list of records may repeat them: each
 * record starts with a unique label ("Order 1", "Placed", "Order 2", "Placed") or
 * follows a divider.
 */
export function findRepeatedLabels({ components }: PayloadContainer): readonly Violation[] {
  const labels = components.map(({ component }) => readField(component, 'label'))
  const counts = new Map<unknown, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  const occurrences = new Map<string, Occurrence[]>()
  const violations: Violation[] = []
  let group = 0
  let record: string | undefined
  components.forEach(({ path, component }, index) => {
    const label = labels[index]
    if (readField(component, 'type') === 'divider') {
      group += 1
      record = undefined
    }
    if (typeof label !== 'string') return
    if (counts.get(label) === 1) {
      record = label
      return
    }
    const earlier = occurrences.get(label) ?? []
    const same = earlier.findLast(
      (other) =>
        other.group === group &&
        (other.record === record || other.record === undefined || record === undefined),
    )
    if (same !== undefined) {
      violations.push({ path: `${path}.label`, message: `has the same label as ${same.path}` })
    }
    // Each label is only compared with the last two, so that a long list takes linear time.
    occurrences.set(label, [...earlier.slice(-1), { path, group, record }])
  })
  return violations
}
