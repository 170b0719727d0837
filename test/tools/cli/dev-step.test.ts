import { describe, expect, test } from 'vitest'
import {
  type Effect,
  type Host,
  initialState,
  type LoopEvent,
  type LoopState,
  type SavedFile,
  wakeAt,
} from '../../../src/tools/cli/dev/loop/loop-state.ts'
import { step } from '../../../src/tools/cli/dev/loop/step.ts'
import { runWorld } from './dev-worlds.ts'

test('4,000 worlds end with the newest code, or with a failure that is shown as one', () => {
  const lost: unknown[] = []
  let mostLoads = 0
  for (let seed = 1; seed <= 4_000; seed += 1) {
    const { state, shown, disk, isBroken, host, hasIds, loads, saves } = runWorld(seed)
    const isShown = shown === disk && ['current', 'shown', 'unchanged'].includes(state.phase)
    const isHonest = state.phase === 'failed' || (isBroken && state.phase === 'waiting')
    if (!isShown && !isHonest) lost.push({ seed, host, hasIds, shown, disk, phase: state.phase })
    mostLoads = Math.max(mostLoads, loads - 4 * saves)
  }
  expect(lost).toEqual([])
  // An app that writes a file at each request adds some.
  expect(mostLoads).toBeLessThan(50)
}, 120_000)

test('a person who saves a file every one to three seconds never waits, but a formatter that rewrites it at each request does', () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    expect(runWorld(seed, undefined, 'person')).toMatchObject({ saves: 40, holds: 0 })
    const { holds, loads } = runWorld(seed, undefined, 'formatter')
    expect({ seed, isHeld: holds > 0, isRare: loads < 170 }).toMatchObject({
      isHeld: true,
      isRare: true,
    })
  }
}, 120_000)

/** Runs events one after another, at times of a clock that a test sets. */
function start(host: Host, { hasIds = true } = {}) {
  const id = hasIds ? 'one' : undefined
  let state: LoopState = initialState(host)
  let now = 0
  const send = (event: LoopEvent): readonly Effect[] => {
    now += 1
    const result = step(state, event, now)
    state = result.state
    return result.effects
  }
  const connect = () => {
    if (host !== 'no command') send({ type: 'started' })
    send({ type: 'answered', id, askedAt: now })
    send({ type: 'connected', isAnswered: true, askedAt: now })
  }
  connect()
  const file = (path: string, limit = 21): SavedFile => ({
    path,
    limit,
    isSame: false,
    needsRestart: false,
  })
  return {
    state: () => state,
    now: () => now,
    send,
    /** Lets time pass. */
    wait: (ms: number) => void (now += ms),
    save: (path = 'a.ts', limit = 21) =>
      send({ type: 'saved', files: [file(path, limit)], at: now }),
    /** Answers the next probe, which is due at some time. */
    answer(found: 'answer' | 'listening' | 'away', answered?: string): readonly Effect[] {
      if (!state.isProbing) {
        now = Math.max(now, wakeAt(state))
        send({ type: 'tick' })
      }
      if (!state.isProbing) throw new Error('no probe is due')
      return send({ type: 'probed', found, id: answered, askedAt: now })
    },
    /** Lets the data of the newest `show` arrive. */
    load: () => send({ type: 'loaded', plan: state.plan }),
  }
}

const types = (effects: readonly Effect[]) => effects.map(({ type }) => type)

describe('a save', () => {
  test('restarts a command that does not reload itself, once for saves until it has stopped', () => {
    const { save, send, state, answer, load } = start('restarts')
    expect(types(save())).toEqual(['restart'])
    expect(types(save('b.ts'))).toEqual([])
    expect(state().phase).toBe('saved')
    send({ type: 'started' })
    expect(state().phase).toBe('waiting')
    answer('listening')
    expect(answer('answer', 'two')).toMatchObject([
      { type: 'show', verdict: 'reloaded', files: ['a.ts', 'b.ts'] },
    ])
    load()
    expect(state().phase).toBe('shown')
    expect(wakeAt(state())).toBe(Infinity)
  })

  test('during a start restarts the command again', () => {
    const { save, send } = start('restarts')
    save()
    send({ type: 'started' })
    expect(types(save())).toEqual(['restart'])
  })

  test('of a server that reloads itself is shown when a new ID has answered twice', () => {
    const { save, answer, state } = start('reloads')
    save()
    expect(types(answer('listening'))).toEqual(['probe'])
    for (let count = 0; count < 3; count += 1) {
      expect(answer('answer', 'one').filter(({ type }) => type === 'show')).toEqual([])
    }
    expect(state().phase).toBe('waiting')
    answer('answer', 'two')
    expect(types(answer('answer', 'two'))).toContain('show')
  })

  test('whose code answers after an hour is shown, and the looks become rare', () => {
    const { save, answer, state, load } = start('reloads')
    save()
    answer('listening')
    let probes = 0
    let shown: readonly Effect[] = []
    for (; state().probeAt < 3_600_000 && probes < 2_000; probes += 1) {
      shown = answer('answer', 'one')
      if (types(shown).includes('show')) load()
    }
    expect(probes).toBeLessThan(300)
    expect(state().phase).toBe('unchanged')
    answer('answer', 'two')
    expect(types(answer('answer', 'two'))).toContain('show')
  })

  test('that is newer than the process starts the command once after an exit', () => {
    const { save, send, state, answer } = start('reloads')
    save()
    answer('listening')
    expect(types(send({ type: 'exited' }))).toEqual(['restart'])
    send({ type: 'started' })
    expect(types(send({ type: 'exited' }))).toEqual([])
    expect(state().phase).toBe('failed')
  })

  test('of the same bytes loads the sidebar as unchanged, unless it repeats the save that was just shown', () => {
    const { save, send, answer, load, wait, state } = start('restarts')
    const repeat = () => {
      const files = [{ path: 'a.ts', limit: 21, isSame: true, needsRestart: false }]
      return types(send({ type: 'saved', files, at: state().savedAt }))
    }
    save()
    expect(repeat()).toEqual([])
    send({ type: 'started' })
    answer('listening')
    answer('answer', 'two')
    load()
    expect(repeat()).toEqual([])
    wait(1_000)
    expect(repeat()).toEqual(['show'])
    expect(state().verdict).toBe('unchanged')
  })

  test('waits although an answer arrives to a question from before it', () => {
    const { save, send, state, wait } = start('reloads')
    wait(10)
    save()
    send({ type: 'probed', found: 'answer', id: 'two', askedAt: 5 })
    send({ type: 'answered', id: 'two', askedAt: 5 })
    expect(state().fresh).toEqual(new Set())
  })
})

describe('a file that changes during each reload', () => {
  /** Saves a file, and again before each response, until it waits. @returns how many reloads that caused */
  function saveInARow(limit: number) {
    const loop = start('restarts')
    const { save, send, state, answer } = loop
    let reloads = 0
    for (; reloads < 50; reloads += 1) {
      save('a.ts', limit)
      if (state().held.length > 0) break
      send({ type: 'started' })
      answer('listening')
      answer('answer', `code ${reloads}`)
    }
    return { ...loop, reloads }
  }

  test.each([21, 1])('waits after %i of them, twice as long each time', (limit) => {
    const { reloads, state, now, wait, send, answer, load, save } = saveInARow(limit)
    // The first save was made by a person.
    expect(reloads).toBe(limit)
    const times: number[] = []
    for (let count = 0; count < 3; count += 1) {
      times.push((state().held[0]?.until ?? 0) - now())
      load()
      wait(times.at(-1)!)
      expect(types(send({ type: 'tick' }))).toContain('restart')
      send({ type: 'started' })
      answer('listening')
      answer('answer', `later ${count}`)
      save('a.ts', limit)
    }
    expect(times).toEqual([2_000, 4_000, 8_000])
  })

  test('does not wait if a program saves it 60 times, each time soon after it has seen the response', () => {
    const { save, send, answer, load, wait } = start('restarts')
    for (let count = 0; count < 60; count += 1) {
      expect(types(save())).toEqual(['restart'])
      send({ type: 'started' })
      answer('listening')
      answer('answer', `code ${count}`)
      load()
      wait(60)
    }
  })

  test('no longer waits when it is saved after the reload, which cannot have changed it', () => {
    const { save, send, load, wait, state } = saveInARow(1)
    load()
    wait(1_500)
    expect(types(save('a.ts', 1))).toEqual(['restart'])
    send({ type: 'started' })
    expect(state().held).toEqual([])
  })

  test('no longer waits when a different file is saved, or when a person asks for it', () => {
    for (const ask of ['save', 'reload'] as const) {
      const { state, save, send, load, wait } = saveInARow(1)
      load()
      wait(1_500)
      expect(types(ask === 'save' ? save('b.ts') : send({ type: 'reload' }))).toEqual(['restart'])
      expect(state().held).toEqual([])
      expect(state().files).toContain('a.ts')
    }
  })
})

describe('a server without IDs', () => {
  test('is fetched once when it was away, and at most twice without that sign', () => {
    const { save, answer, state, load, wait } = start('no command', { hasIds: false })
    save()
    answer('listening')
    answer('answer')
    answer('away')
    answer('away')
    expect(answer('listening')).toMatchObject([{ type: 'show', verdict: 'fetched' }])
    load()
    wait(100)
    save()
    let shows = 0
    for (let count = 0; count < 400 && wakeAt(state()) < Infinity; count += 1) {
      if (types(answer('listening')).includes('show')) {
        shows += 1
        load()
      }
    }
    expect(shows).toBeLessThanOrEqual(4)
  })
})
