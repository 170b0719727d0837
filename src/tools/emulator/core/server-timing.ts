import type { TimingSpan } from '../protocol/exchanges.ts'

const MAX_SPANS = 100
/** Matches a metric at the start of the header, or after a comma. */
const METRIC =
  /(?<=^|,\s*)([\w!#$%&'*+.^`|~-]+)((?:\s*;\s*[\w!#$%&'*+.^`|~-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)(?:\s*,\s*)?/gy
const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g

/** Parses a `Server-Timing` header. Malformed parts end the list; at most 100 spans are returned. */
export function parseServerTiming(header = ''): readonly TimingSpan[] {
  const metrics = [...header.slice(0, 16_384).matchAll(METRIC)].slice(0, MAX_SPANS)
  return metrics.map(([, name = '', parameters = '']) => toSpan(name, parameters))
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
