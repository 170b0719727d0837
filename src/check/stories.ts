import type { DataProbe, Evidence, HandshakeProbe, Probe } from './probe.ts'

/** How a series of like requests went. */
export interface Story<Kind extends Probe> {
  readonly right: readonly Kind[]
  /** Wrong where none was right: how the endpoint always answers. */
  readonly wrong: readonly Kind[]
  /** Wrong where others were right: how the endpoint sometimes answers. */
  readonly unsteady: readonly Kind[]
}

/** A handshake series, without the answers that held the code of another handshake. */
export interface HandshakeStory extends Story<HandshakeProbe> {
  /** Held the code of a handshake that was over. */
  readonly cached: readonly HandshakeProbe[]
  /** Held the code of a handshake that went on at the same time. */
  readonly mixed: readonly HandshakeProbe[]
}

/** Tells the ordinary handshakes: always wrong, sometimes wrong, or wrong by another's code. */
export function handshakeStory(evidence: Evidence): HandshakeStory {
  const every = [...evidence.handshakes, ...evidence.characters]
  const cached: HandshakeProbe[] = []
  const mixed: HandshakeProbe[] = []
  for (const probe of every) {
    const other = every.find((each) => each !== probe && holdsCodeOf(probe, each))
    if (other === undefined) continue
    const over = other.exchange.startedAt + other.exchange.durationMs <= probe.exchange.startedAt
    if (over) cached.push(probe)
    else mixed.push(probe)
  }
  const borrowed = new Set([...cached, ...mixed])
  const own = evidence.handshakes.filter((probe) => !borrowed.has(probe))
  return { ...storyOf(own, borrowed.size > 0), cached, mixed }
}

/** Tells the samples of data. */
export function dataStory({ samples }: Evidence): Story<DataProbe> {
  return storyOf(samples, false)
}

function storyOf<Kind extends HandshakeProbe | DataProbe>(
  probes: readonly Kind[],
  othersAnswered: boolean,
): Story<Kind> {
  const right = probes.filter(({ verdict }) => verdict.ok)
  const wrong = probes.filter(({ verdict }) => !verdict.ok)
  return right.length > 0 || othersAnswered
    ? { right, wrong: [], unsteady: wrong }
    : { right, wrong, unsteady: [] }
}

function holdsCodeOf({ verdict }: HandshakeProbe, other: HandshakeProbe): boolean {
  return !verdict.ok && verdict.reason === 'code_differs' && verdict.answered?.trim() === other.code
}
