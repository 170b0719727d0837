import type { SaveView } from '../../../emulator/protocol/workspace.ts'
import type { AppServer } from '../app-server.ts'
import { isListening } from '../../server/listening.ts'
import type { LoadReports } from '../load-reports.ts'
import {
  type Effect,
  initialState,
  isAwaited,
  isCurrent,
  type LoopEvent,
  type LoopState,
  wakeAt,
} from './loop-state.ts'
import type { Session } from '../session.ts'
import { step } from './step.ts'

/** Carries out what `step()` decides for a server, and reports to it what happens. */
export interface Loop extends ReturnType<typeof createLoop> {}

/** Creates the loop of a server, before its command starts. */
export function createLoop(session: Session, server: AppServer, reports: LoadReports) {
  const { traffic, over, defer } = session
  const { links, endpoint } = server
  let state = initialState(server.host)
  let timer: NodeJS.Timeout | undefined
  let probes = 0
  const publish = createPublisher(session, server)

  function emit(event: LoopEvent): void {
    if (over.aborted) return
    const result = step(state, event, performance.now())
    state = result.state
    publish(state)
    for (const effect of result.effects) run(effect)
    clearTimeout(timer)
    const at = wakeAt(state)
    if (at !== Infinity) {
      timer = setTimeout(() => emit({ type: 'tick' }), Math.max(0, at - performance.now()))
    }
  }

  function run(effect: Effect): void {
    if (effect.type === 'restart') void server.restart()
    else if (effect.type === 'probe') void probe(effect.how)
    else if (effect.type === 'announce') reports.announce()
    else if (effect.type === 'hint') server.hintThatItIsLate(state.files)
    else void show(effect)
  }

  async function probe(how: 'handshake' | 'connect'): Promise<void> {
    const askedAt = performance.now()
    if (how === 'connect') {
      const found = (await isListening(endpoint)) ? 'listening' : 'away'
      return emit({ type: 'probed', found, askedAt })
    }
    probes += 1
    const link = links[probes % links.length]
    const probed = (await link?.probe()) ?? { found: 'away' }
    emit({ type: 'probed', ...probed, askedAt })
  }

  async function show({ verdict, files, plan }: Effect & { type: 'show' }): Promise<void> {
    if (verdict !== 'unchanged') server.responds()
    for (const link of links) {
      // The app may have been deleted in the workspace.
      // oxlint-disable-next-line no-await-in-loop -- reported in their order
      await link.refresh().catch(() => undefined)
    }
    if (state.plan !== plan || over.aborted) return
    reports.show(server, {
      files,
      verdict,
      appIds: links.map(({ app }) => app.id),
      isCurrent: (id) => isCurrent(state, id),
      isAwaited: () => state.plan !== plan || isAwaited(state),
      onLoaded: () => emit({ type: 'loaded', plan }),
    })
  }

  server.listener = {
    event: emit,
    exited() {
      emit({ type: 'exited' })
      return state.process === 'stopping'
    },
  }
  traffic.onAnswer((answer) => emit({ type: 'answered', ...answer }))
  defer(() => clearTimeout(timer))
  return { emit }
}

/** Shows the phase in the page, and names files that wait in the terminal. */
function createPublisher({ emulator, reporter }: Session, server: AppServer) {
  let published = ''
  const named = new Set<string>()
  return (state: LoopState): void => {
    const appIds = server.links.map(({ app }) => app.id)
    const view = toView(state, appIds)
    const key = JSON.stringify(view)
    if (key === published || !state.isConnected) return
    published = key
    emulator.saves.set(server, view)
    for (const { path } of state.held) {
      if (named.has(path)) continue
      named.add(path)
      reporter.warn(
        `${path} changed during each of the last reloads, as if your app writes it, so it waits. Press r to load it now, or list it in .gitignore.`,
      )
    }
  }
}

function toView(
  { phase, savedAt, lastFiles, held }: LoopState,
  appIds: readonly string[],
): SaveView {
  const [first] = held
  return {
    appIds,
    phase,
    files: lastFiles,
    at: toDate(Math.max(savedAt, 0)),
    held: first === undefined ? null : { file: first.path, until: toDate(first.until) },
  }
}

/** @param time in milliseconds of `performance.now()` */
function toDate(time: number): string {
  return new Date(performance.timeOrigin + time).toISOString()
}
