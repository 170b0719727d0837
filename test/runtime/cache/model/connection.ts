import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import type { StoreAdapter } from 'sidecard/cache'

/** A time in the schedule. The clocks of the processes have nothing to do with it. */
export type Step = number

export interface Moment {
  readonly step: Step
  readonly ms: number
}

/** A process, as its store sees it. */
export interface Host {
  readonly offsetMs: number
  isRunning: boolean
  isStoreDown: boolean
}

/** An access to the store, which takes effect when a schedule says so. */
export interface Access {
  apply(): Promise<void>
  settle(error?: unknown): void
}

export interface MarkWrite extends Moment {
  readonly host: Host
  readonly name: string
  readonly issuedAt: Step
}

/** The part of the world that a connection uses. */
export interface Timeline {
  readonly nowMs: number
  readonly step: Step
  tick(): Step
  readonly accesses: Access[]
  readonly markWrites: MarkWrite[]
  /** Records which section has a mark of this name. */
  readsMark(name: string): void
}

/** The process, request and section of the running code. */
export const contexts = new AsyncLocalStorage<{
  readonly process: Host
  readonly request?: { readonly read: Set<number> }
  readonly index?: number
}>()

const MARK_NAME = /^sidecard:[0-9a-f]{16}$/

/** The connection of a cache of a process to the store that all processes share. */
export class Connection implements StoreAdapter {
  readonly adapter: StoreAdapter
  /** Since when it could not read the store, and when an access failed last. */
  failedSince: Step | undefined
  failedLast: Step = 0
  readonly #host: Host
  readonly #timeline: Timeline

  constructor(adapter: StoreAdapter, host: Host, timeline: Timeline) {
    this.adapter = adapter
    this.#host = host
    this.#timeline = timeline
  }

  get(name: string): Promise<string | null | undefined> {
    const { request, index } = contexts.getStore() ?? {}
    const reads = index === undefined ? undefined : request?.read
    if (reads !== undefined && MARK_NAME.test(name)) this.#timeline.readsMark(name)
    let value: string | null | undefined
    const apply = async () => {
      value = await this.adapter.get(name)
    }
    return this.#access(apply, () => {
      // After a failure, a process uses the store again when a retry has succeeded.
      if (name.includes('retry')) this.failedSince = undefined
      else reads?.add(index!)
      return value
    })
  }

  set(name: string, value: string, ttlSeconds: number): Promise<void> {
    const { step: issuedAt, markWrites } = this.#timeline
    const apply = async () => {
      await this.adapter.set(name, value, ttlSeconds)
      const done = { step: this.#timeline.tick(), ms: this.#timeline.nowMs }
      markWrites.push({ host: this.#host, name, issuedAt, ...done })
    }
    return this.#access(apply, () => undefined)
  }

  #access<R>(apply: () => Promise<void>, result: () => R): Promise<R> {
    return new Promise((resolve, reject) => {
      if (!this.#host.isRunning) return
      let isSettled = false
      const settle = AsyncResource.bind((error?: unknown) => {
        if (isSettled || !this.#host.isRunning) return
        isSettled = true
        if (error === undefined) return resolve(result())
        this.failedLast = this.#timeline.step
        this.failedSince ??= this.#timeline.step
        reject(error)
      })
      if (this.#host.isStoreDown) return settle(new Error('The store is down.'))
      this.#timeline.accesses.push({ apply, settle })
    })
  }
}
