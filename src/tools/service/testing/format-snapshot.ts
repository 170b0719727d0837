import type { Component, Payload } from '../../../runtime/contract/index.ts'
import { normalizeActionLinks } from '../../internal/action-link.ts'

/**
 * Formats a whole payload for a snapshot: one line of JSON for each component. It
 * masks the parts that differ in every response: dates, the trace ID, and the
 * tokens of action links.
 */
export function formatSnapshot(payload: Payload, traceId: string | undefined): string {
  const text = toLines(payload, '').join('')
  return normalizeActionLinks(traceId === undefined ? text : text.replaceAll(traceId, 'trace-id'))
}

function toLines(part: Payload | Component, indent: string): readonly string[] {
  if (!('components' in part)) return [`${indent}${JSON.stringify(maskDate(part))}\n`]
  const { components, ...own } = part
  return [
    `${indent}${JSON.stringify(own)}\n`,
    ...components.flatMap((each) => toLines(each, `${indent}  `)),
  ]
}

function maskDate(component: Component): Component {
  return component.type === 'date_time' ? { ...component, value: 'date-time' } : component
}
