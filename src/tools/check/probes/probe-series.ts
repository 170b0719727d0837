import type { Evidence } from './evidence.ts'
import type { DataProbe, HandshakeProbe } from '../probe.ts'

/** The results of a series of similar requests. */
export interface ProbeSeries<Kind> {
  readonly passed: readonly Kind[]
  /** The failures of a series in which every probe failed. */
  readonly failed: readonly Kind[]
  /** The failures of a series in which some probes passed. */
  readonly flaky: readonly Kind[]
}

/** A series of handshakes. Responses with the code of another handshake are listed separately. */
export interface HandshakeSeries extends ProbeSeries<HandshakeProbe> {
  /** Probes that returned the code of an earlier handshake. */
  readonly cached: readonly HandshakeProbe[]
  /** Probes that returned the code of a concurrent handshake. */
  readonly crossed: readonly HandshakeProbe[]
}

/**
 * Classifies the regular handshakes: passed, always failed, sometimes failed, or
 * crossed with another one.
 */
export function classifyHandshakes(evidence: Evidence): HandshakeSeries {
  const every = evidence.of('handshake', 'character')
  const cached: HandshakeProbe[] = []
  const crossed: HandshakeProbe[] = []
  for (const probe of every) {
    const received = probe.receivedCode?.trim()
    const other = every.find((each) => each !== probe && each.code.trim() === received)
    if (other === undefined) continue
    const end = other.exchange.startedAt + other.exchange.durationMs
    if (end <= probe.exchange.startedAt) cached.push(probe)
    else crossed.push(probe)
  }
  const withForeignCode = new Set([...cached, ...crossed])
  const regular = evidence.of('handshake').filter((probe) => !withForeignCode.has(probe))
  return { ...toSeries(regular, withForeignCode.size > 0), cached, crossed }
}

/** Classifies the samples of data. */
export function classifyDataFetches(evidence: Evidence): ProbeSeries<DataProbe> {
  return toSeries(evidence.of('sample'), false)
}

function toSeries<Kind extends { readonly ok: boolean }>(
  probes: readonly Kind[],
  othersResponded: boolean,
): ProbeSeries<Kind> {
  const passed = probes.filter(({ ok }) => ok)
  const failed = probes.filter(({ ok }) => !ok)
  return passed.length > 0 || othersResponded
    ? { passed, failed: [], flaky: failed }
    : { passed, failed, flaky: [] }
}
