import {
  initialState,
  type Host,
  isAwaited,
  isCurrent,
  type LoopEvent,
  type LoopState,
  wakeAt,
} from '../../../src/tools/cli/dev/loop/loop-state.ts'
import { step } from '../../../src/tools/cli/dev/loop/step.ts'

/** Random numbers from a seed, so that a world can be repeated. */
function createRandom(seed: number) {
  let value = seed * 2_654_435_761 + 1
  const next = () => {
    value = (value + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(value ^ (value >>> 15), 1 | value)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    chance: (probability: number) => next() < probability,
    between: (low: number, high: number) => low + next() * (high - low),
    pick: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T,
  }
}

/** A world: a server, somebody who saves files, and a page. */
export interface World {
  readonly host: Host
  readonly hasIds: boolean
  readonly state: LoopState
  /** The version that the page shows, and the newest one on the disk. */
  readonly shown: number
  readonly disk: number
  readonly isBroken: boolean
  readonly saves: number
  readonly loads: number
  readonly probes: number
  /** How often a save had to wait, because the app seemed to have made it. */
  readonly holds: number
}

const END_MS = 10_800_000

/**
 * Lets a random world happen: saves, builds, starts, crashes, exits and slow requests.
 *
 * @param log receives each event, to understand a seed that fails
 * @param only who changes files: a person who saves one file 40 times, or a formatter that
 * rewrites a file at each request
 */
export function runWorld(seed: number, log?: string[], only?: 'person' | 'formatter'): World {
  const random = createRandom(seed)
  const { chance, between, pick } = random
  const host = pick<Host>(['restarts', 'restarts', 'reloads', 'reloads', 'no command'])
  const hasIds = chance(0.7)
  const buildMs = pick([20, 300, 2_000, 20_000])
  const startMs = pick([100, 400, 3_000, 33_000])
  const fetchMs = pick([5, 50, 1_500, 4_500])
  /** Whether a server that reloads itself is away during it, prints something, or neither. */
  const reloadSign = hasIds ? pick(['away', 'output', 'none']) : pick(['away', 'output'])
  const writesData = only === undefined && chance(0.2)
  const queue: { at: number; run: () => void }[] = []
  let now = 0
  /** The queue is in the reverse order of time. */
  function later(ms: number, run: () => void): void {
    const at = now + ms
    let low = 0
    let high = queue.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (queue[middle]!.at > at) low = middle + 1
      else high = middle
    }
    queue.splice(low, 0, { at, run })
  }

  let state = initialState(host)
  let disk = 0
  const broken = new Set<number>()
  /** The code that the server runs; `undefined` while it does not listen. */
  let running: { version: number; id: string | undefined } | undefined
  let isAlive = false
  let life = 0
  let ids = 0
  let isBuilding = false
  let shown = -1
  let shownPlan = 0
  let loads = 0
  let probes = 0
  let saves = 0
  let holds = 0

  const newCode = (version: number) => ({ version, id: hasIds ? `code_${(ids += 1)}` : undefined })

  function emit(event: LoopEvent): void {
    const result = step(state, event, now)
    log?.push(`${Math.round(now)} ${state.phase} -> ${result.state.phase} ${JSON.stringify(event)}`)
    if (state.held.length === 0 && result.state.held.length > 0) holds += 1
    state = result.state
    for (const effect of result.effects) {
      if (effect.type === 'restart') restart()
      if (effect.type === 'probe') probe(effect.how)
      if (effect.type === 'show') show(effect.plan)
    }
    plan()
  }

  let planned = Infinity
  function plan(): void {
    const at = Math.max(now, wakeAt(state))
    if (at === planned || at === Infinity) return
    planned = at
    later(at - now, () => {
      if (planned !== at) return
      planned = Infinity
      emit({ type: 'tick' })
    })
  }

  /** The command starts. It reads the files at some time before it listens. */
  function start(): void {
    const mine = (life += 1)
    isAlive = true
    running = undefined
    const ms = startMs * between(0.8, 1.2)
    later(ms * between(0.1, 0.9), () => {
      if (mine !== life) return
      const version = disk
      later(ms * 0.1, () => {
        if (mine !== life) return
        if (!broken.has(version)) {
          running = newCode(version)
          // A server that reloads itself notices changes since it read the files.
          if (version !== disk && host !== 'restarts') build()
        } else if (host === 'restarts' || chance(0.5)) exit()
        else emit({ type: 'failed', at: now })
      })
    })
  }

  function exit(): void {
    life += 1
    isAlive = false
    isBuilding = false
    running = undefined
    if (host !== 'no command') emit({ type: 'exited' })
    else later(between(100, 5_000), start)
  }

  function restart(): void {
    life += 1
    isAlive = false
    isBuilding = false
    const stopMs = between(5, 500)
    // Until it ends, the old process may answer.
    later(stopMs, () => {
      emit({ type: 'started' })
      start()
    })
  }

  /** A server that reloads itself builds new code, and then replaces the old one. */
  function build(): void {
    if (isBuilding || !isAlive) return
    isBuilding = true
    const mine = life
    later(between(1, 100), () => {
      const version = disk
      later(buildMs * between(0.8, 1.2), () => {
        if (mine !== life) return
        if (broken.has(version)) {
          isBuilding = false
          if (chance(0.3)) return exit()
          if (host === 'reloads') emit({ type: 'failed', at: now })
          if (disk !== version) build()
          return
        }
        const replace = () => {
          if (mine !== life) return
          isBuilding = false
          running = newCode(version)
          if (disk !== version) build()
        }
        if (reloadSign === 'output' || host === 'no command') {
          if (host === 'reloads') later(1, () => mine === life && emit({ type: 'output' }))
        }
        if (reloadSign === 'away' || (host === 'no command' && !hasIds)) {
          running = undefined
          later(between(300, 1_000), replace)
        } else replace()
      })
    })
  }

  function probe(how: 'handshake' | 'connect'): void {
    probes += 1
    const askedAt = now
    const answer = (event: LoopEvent) => later(between(0, 5), () => emit(event))
    later(between(0, 20), () => {
      if (running === undefined) answer({ type: 'probed', found: 'away', askedAt })
      else if (how === 'connect') answer({ type: 'probed', found: 'listening', askedAt })
      else answer({ type: 'probed', found: 'answer', id: running.id, askedAt })
    })
  }

  /** The page requests the data, as the reports make it do. */
  function show(number: number): void {
    loads += 1
    const askedAt = now
    later(between(1, 30), () => {
      const code = running
      if (code !== undefined && writesData && now < 900_000) save(['state.json'], 1)
      if (code !== undefined && only === 'formatter') write('a.ts')
      later(fetchMs * between(0.5, 1), () => {
        if (code !== undefined) {
          // The page drops the response to an older request.
          if (number >= shownPlan) shown = code.version
          shownPlan = Math.max(number, shownPlan)
          emit({ type: 'answered', id: code.id, askedAt })
        }
        if (state.plan !== number || isAwaited(state)) return
        const isOld = code !== undefined && !isCurrent(state, code.id)
        if (isOld) later(250, () => show(number))
        else emit({ type: 'loaded', plan: number })
      })
    })
  }

  function save(paths: readonly string[], limit: number): void {
    const at = now
    later(between(1, 80), () => {
      const files = paths.map((path) => ({ path, isSame: false, limit, needsRestart: false }))
      emit({ type: 'saved', files, at })
    })
  }

  function write(path: string, isBroken = false): void {
    saves += 1
    disk += 1
    if (isBroken) broken.add(disk)
    save([path], 21)
    if (host !== 'restarts') later(between(0, 60), build)
  }

  /** A person, who saves one file, two files alternately, or many times in a row. */
  function live(): void {
    let at = 0
    if (only === 'formatter') return write('b.ts')
    if (only === 'person') {
      for (let index = 0; index < 40; index += 1)
        later((at += between(1_000, 3_000)), () => write('a.ts'))
      return
    }
    const gap = pick([50, 400, 2_000, 30_000])
    const count = Math.ceil(between(1, 12))
    for (let index = 0; index < count; index += 1) {
      at += gap * between(0.2, 2)
      const isBroken = host !== 'no command' && chance(0.15)
      later(at, () => write(index % 2 === 0 ? 'a.ts' : 'b.ts', isBroken))
    }
    // The command may exit at any moment.
    if (chance(0.3)) later(between(0, at * 1.3), () => isAlive && exit())
  }

  start()
  if (host !== 'no command') emit({ type: 'started' })
  later(2 * startMs, () => {
    const isAnswered = running !== undefined
    if (isAnswered) {
      shown = running!.version
      emit({ type: 'answered', id: running!.id, askedAt: now })
    }
    emit({ type: 'connected', isAnswered, askedAt: now })
  })
  later(only !== undefined || chance(0.8) ? 2.5 * startMs : startMs * between(0, 2), live)

  for (let next = queue.pop(); next !== undefined && next.at < END_MS; next = queue.pop()) {
    now = next.at
    next.run()
  }
  return {
    host,
    hasIds,
    state,
    shown,
    disk,
    isBroken: broken.has(disk),
    saves,
    loads,
    probes,
    holds,
  }
}
