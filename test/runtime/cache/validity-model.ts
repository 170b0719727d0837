import { AsyncLocalStorage } from 'node:async_hooks'
import { memoryStore, sectionCache, type StoreAdapter } from 'sidecard/cache'
import { SidecardError } from '../../../src/runtime/internal/errors.ts'
import { createScope, placeOf, uniqueName } from '../../helpers/cache.ts'

/** A time in the schedule. The clocks of the processes have nothing to do with it. */
type Step = number

export type Account = 'a' | 'b'
type Status = 'present' | 'gone'

/** Something that made content wrong: what was read before `wrongBefore`. */
interface Event {
  readonly process: Process
  readonly account: Account
  readonly wrongBefore: Step
  readonly toldAt: Step
  /** When the page of the action told the agent, without a failure of the store. */
  completedAt?: Step
}

/** A load that the cache has started, whose two steps a schedule chooses. */
interface Load {
  readonly process: Process
  readonly account: Account
  read?: { readonly step: Step; readonly status: Status }
  settle(isFailure: boolean): void
}

/** An access to the store, which takes effect when a schedule says so. */
interface Access {
  readonly process: Process
  readonly writes?: { readonly name: string; readonly issuedAt: Step }
  apply(): void
  settle(isFailure: boolean): void
}

interface MarkWrite {
  readonly process: Process
  readonly subject: string
  readonly issuedAt: Step
  readonly doneAt: Step
}

interface Request {
  readonly account: Account
  readonly startedAt: Step
  /** Whether it read the store, so that it could know what other processes wrote. */
  hasRead: boolean
}

interface Process {
  readonly offsetMs: number
  readonly store: StoreAdapter
  isStoreDown: boolean
  isRunning: boolean
  /** Since when it could not read the store. */
  failedSince: Step | undefined
}

/** One cache: a process is an environment, with its own state and its own connection. */
interface Cache {
  request(process: Process, account: Account, load: () => Promise<Loaded>): Promise<string>
  expire(process: Process, account: Account): Promise<void> | '' | undefined
}

interface Loaded {
  readonly json: string
  readonly isDesigned: boolean
}

const DESIGNED = 'designed'
const OPTIONS = {
  store: (process: Process) => process.store,
  ttlSeconds: 60,
  staleSeconds: 600,
}
const contexts = new AsyncLocalStorage<{ readonly process: Process; readonly request?: Request }>()

function createProcessScope(process: Process, account: Account) {
  const scope = createScope({ ids: { account_id: account }, env: process })
  const actions = { parse: (json: string): unknown => json }
  return { ...scope, env: process, app: { ...scope.app, actions } }
}

/** The processes, their store and their source, moved by a schedule, and the oracle. */
export class World {
  readonly loads: Load[] = []
  readonly accesses: Access[] = []
  readonly processes: Process[] = []
  /** How often content of an entry was shown, so that a green run proves something. */
  hits = 0
  nowMs = 1_800_000_000_000
  #step: Step = 0
  readonly #violations: string[] = []
  readonly #cache: Cache
  readonly #isMemory: boolean
  readonly #sources: Record<Account, Status> = { a: 'present', b: 'present' }
  readonly #values = new Map<string, { readonly value: string; readonly untilMs: number }>()
  readonly #events: Event[] = []
  readonly #markWrites: MarkWrite[] = []
  readonly #accounts = new Map<string, Account>()

  constructor(offsetsMs: readonly number[], isMemory: boolean) {
    this.#cache = this.#createSections()
    this.#isMemory = isMemory
    for (const offsetMs of offsetsMs) this.processes.push(this.#start(offsetMs))
  }

  /** The time of the process that asks. */
  readonly now = (): number => this.nowMs + (contexts.getStore()?.process.offsetMs ?? 0)

  /** Opens a sidebar. What it shows is checked when it is complete. */
  open(index: number, account: Account): void {
    const process = this.processes[index]!
    const request: Request = { account, startedAt: this.#tick(), hasRead: false }
    void contexts.run({ process, request }, async () => {
      const shown = await this.#cache.request(process, account, () => this.#load(process, account))
      if (process.isRunning && shown !== DESIGNED) this.#checkShown(process, request, shown)
    })
  }

  /** The agent confirms an action: done, unknown or late, the caches are told in the same way. */
  act(index: number, account: Account): void {
    const process = this.processes[index]!
    const step = this.#tick()
    const done = contexts.run({ process }, () => this.#cache.expire(process, account))
    if (done instanceof Promise) {
      const event: Event = { process, account, wrongBefore: step, toldAt: step }
      this.#events.push(event)
      void done.then(() => {
        if (process.failedSince === undefined) event.completedAt = this.#tick()
      })
    }
  }

  change(account: Account, status: Status): void {
    this.#tick()
    this.#sources[account] = status
  }

  /** The source reads what a load asked for. */
  read(index: number): void {
    const load = this.loads[index % this.loads.length]
    if (load !== undefined)
      load.read ??= { step: this.#tick(), status: this.#sources[load.account] }
  }

  finish(index: number, isFailure: boolean): void {
    const load = this.loads[index % this.loads.length]
    if (load?.read === undefined) return
    this.loads.splice(this.loads.indexOf(load), 1)
    const { process, account, read } = load
    const step = this.#tick()
    if (!isFailure && read.status === 'gone' && process.isRunning) {
      this.#events.push({ process, account, wrongBefore: read.step, toldAt: step })
    }
    if (process.isRunning) load.settle(isFailure)
  }

  /** An access takes effect. Its reply can get lost, or it takes effect after a timeout. */
  access(index: number, how: 'ok' | 'failed' | 'no reply' | 'late'): void {
    const access = this.accesses[index % this.accesses.length]
    if (access === undefined) return
    this.#tick()
    if (how === 'late') return access.settle(true)
    this.accesses.splice(this.accesses.indexOf(access), 1)
    if (how !== 'failed') access.apply()
    access.settle(how !== 'ok')
  }

  /** Each access has a timeout, after which it can still take effect. */
  pass(ms: number): void {
    this.#tick()
    this.nowMs += ms
    for (const access of this.accesses) access.settle(true)
  }

  setStoreDown(index: number, isDown: boolean): void {
    this.processes[index]!.isStoreDown = isDown
  }

  /** Ends a process, and starts another one in its place. */
  restart(index: number): void {
    const old = this.processes[index]!
    old.isRunning = false
    this.processes[index] = this.#start(old.offsetMs)
  }

  /** @throws if content was shown that its process knew to be wrong */
  assertTrue(): void {
    if (this.#violations.length > 0) throw new Error(this.#violations.join('\n'))
  }

  #tick(): Step {
    return (this.#step += 1)
  }

  #checkShown(process: Process, { account, startedAt, hasRead }: Request, shown: string): void {
    const [, owner, step] = /^(\w) (\d+)$/.exec(shown) ?? []
    if (owner !== account) this.#violations.push(`${account} shows ${shown}`)
    // In an outage, a process cannot know what others have told the store.
    const knownAt = hasRead ? startedAt : Math.min(startedAt, process.failedSince ?? 0)
    for (const event of this.#events) {
      if (event.account !== account || Number(step) >= event.wrongBefore) continue
      const isOwn = event.process === process && event.toldAt < startedAt
      const isComplete = event.completedAt !== undefined && event.completedAt < knownAt
      const isWritten = this.#markWrites.some(
        (write) =>
          write.process === event.process &&
          this.#accounts.get(write.subject) === account &&
          write.issuedAt >= event.toldAt &&
          write.doneAt < knownAt,
      )
      if (isOwn || isComplete || isWritten) {
        this.#violations.push(`content of step ${step} in a request of step ${startedAt}`)
      }
    }
  }

  #load(process: Process, account: Account): Promise<Loaded> {
    this.#tick()
    return new Promise((resolve, reject) => {
      const load: Load = {
        process,
        account,
        settle: (isFailure) => {
          const { status, step } = load.read!
          if (isFailure) reject(new Error('The source failed.'))
          else resolve({ json: `${account} ${step}`, isDesigned: status === 'gone' })
        },
      }
      this.loads.push(load)
    })
  }

  #start(offsetMs: number): Process {
    const process: Process = {
      offsetMs,
      store: this.#isMemory ? memoryStore() : this.#connect(() => process),
      isStoreDown: false,
      isRunning: true,
      failedSince: undefined,
    }
    return process
  }

  #createSections(): Cache {
    const cache = sectionCache({ ...OPTIONS, name: uniqueName() })
    return {
      request: async (process, account, load) => {
        const loadContent = async () => {
          const { json, isDesigned } = await load()
          if (isDesigned) throw new SidecardError('not_found', 'No customer.')
          return json
        }
        const ctx = createProcessScope(process, account)
        const request = {
          ctx,
          place: placeOf([account]),
          timeoutMs: undefined,
          load: loadContent,
          encode: (json: unknown) => ({ json: String(json), componentCount: 1 }),
        }
        try {
          const { json, status } = await cache.fetch(request)
          if (status !== 'miss') this.hits += 1
          return json
        } catch {
          return DESIGNED
        }
      },
      expire: async (process, account) => {
        const scope = createProcessScope(process, account)
        const subject = await cache.locate?.(scope, placeOf([account]))
        await cache.invalidate?.(scope, subject ?? '')
      },
    }
  }

  /** Connects a process to the store that all processes share. */
  #connect(findProcess: () => Process): StoreAdapter {
    return {
      get: (name) => {
        const { request } = contexts.getStore()!
        const isRetry = name.includes('retry')
        if (request !== undefined && !isRetry) this.#accounts.set(name, request.account)
        let value: string | null = null
        const apply = () => {
          const found = this.#values.get(name)
          value = found !== undefined && found.untilMs > this.nowMs ? found.value : null
        }
        return this.#access(findProcess(), apply, () => {
          // After a failure, a process uses the store again when a retry has succeeded.
          if (isRetry) findProcess().failedSince = undefined
          else if (request !== undefined) request.hasRead = true
          return value
        })
      },
      set: (name, value, ttlSeconds) => {
        const issuedAt = this.#step
        const apply = () => {
          this.#values.set(name, { value, untilMs: this.nowMs + ttlSeconds * 1_000 })
          const doneAt = this.#tick()
          this.#markWrites.push({ process: findProcess(), subject: name, issuedAt, doneAt })
        }
        return this.#access(findProcess(), apply, () => undefined)
      },
    }
  }

  #access<R>(process: Process, apply: () => void, result: () => R): Promise<R> {
    return new Promise((resolve, reject) => {
      let isSettled = false
      const settle = (isFailure: boolean) => {
        if (isSettled || !process.isRunning) return
        isSettled = true
        if (isFailure) process.failedSince ??= this.#step
        if (isFailure) reject(new Error('The store failed.'))
        else resolve(result())
      }
      if (process.isStoreDown) return settle(true)
      this.accesses.push({ process, apply, settle })
    })
  }
}
