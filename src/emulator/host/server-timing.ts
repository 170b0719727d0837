import type { TimingSpan } from '../protocol/exchanges.ts'

const MAX_SPANS = 100
const METRIC =
  /([\w!#$%&'*+.^`|~-]+)((?:\s*;\s*[\w!#$%&'*+.^`|~-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/gy
const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g

/** Parses a `Server-Timing` header. Malformed parts end the list; at most 100 spans are returned. */
export function parseServerTiming(header: string | undefined): readonly TimingSpan[] {
  const spans: TimingSpan[] = []
  let rest = (header ?? '').slice(0, 16_384)
  while (spans.length < MAX_SPANS) {
    METRIC.lastIndex = 0
    const match = METRIC.exec(rest)
    if (match === null) break
    const [whole, name = '', parameters = ''] = match
    spans.push(toSpan(name, parameters))
    const separator = /^\s*,\s*/.exec(rest.slice(whole.length))
    if (separator === null) break
    rest = rest.slice(whole.length + separator[0].length)
  }
  return spans
}

function toSpan(name: string, parameters: string): TimingSpan {
  const values = new Map(
    [...parameters.matchAll(PARAMETER)].map(([, key = '', quoted, plain = '']) => [
      key.toLowerCase(),
      quoted?.replaceAll(/\\(.)/g, '$1') ?? plain,
    ]),
  )
  return {
    name,
    description: values.get('desc') ?? null,
    durationMs: toMilliseconds(values.get('dur')),
    startMs: toMilliseconds(values.get('start')),
  }
}

function toMilliseconds(value: string | undefined): number | null {
  return value !== undefined && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : null
}
