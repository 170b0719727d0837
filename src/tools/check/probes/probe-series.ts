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

/**
 * Classifies the regular handshakes: passed, always failed, or sometimes failed. Those
 * that returned the code of an earlier handshake (`cached`) or of a concurrent one
 * (`crossed`) are listed separately.
 */
export function classifyHandshakes(evidence: Evidence) {
  const all = evidence.of('handshake', 'character')
  const groups = Object.groupBy(all, (probe) => {
    const received = probe.receivedCode?.trim()
    const other = all.find((each) => each !== probe && each.code.trim() === received)
    if (other === undefined) return 'own'
    const end = other.exchange.startedAt + other.exchange.durationMs
    return end <= probe.exchange.startedAt ? 'cached' : 'crossed'
  })
  const { own = [], cached = [], crossed = [] } = groups
  const regular = own.filter(({ role }) => role === 'handshake')
  return { ...toSeries<HandshakeProbe>(regular, own.length < all.length), cached, crossed }
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
  const isFlaky = passed.length > 0 || othersResponded
  return { passed, failed: isFlaky ? [] : failed, flaky: isFlaky ? failed : [] }
}
