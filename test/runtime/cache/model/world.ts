import type { StoreAdapter } from 'sidecard/cache'
import { confirmPage, openPage } from '../../../helpers/actions.ts'
import {
  type Access,
  Connection,
  contexts,
  type Host,
  type MarkWrite,
  type Moment,
  type Step,
  type Timeline,
} from './connection.ts'
import {
  accountOf,
  createApp,
  type Customer,
  type Design,
  LIFE_SECONDS,
  loadModules,
  type Modules,
  type Naming,
  SHAPES,
  slotOf,
  type Source,
  TIMEOUT_MS,
} from './apps.ts'

/** How many customers the source finds. */
const MATCHES = { present: 1, gone: 0, ambiguous: 2 }
type Status = keyof typeof MATCHES

/** The stores of a schedule. */
export interface Stores {
  readonly processes: number
  /** How long a process can read an old value after a write. */
  readonly delayMs: number
  /** Creates the connection of a process, or its store in memory. */
  connect(modules: Modules): StoreAdapter
  readonly isMemory?: boolean
  /** The commands of an operator of a Redis: delete everything, or one entry. */
  flush?(): unknown
  evict?(index: number): unknown
}

interface Process extends Host {
  readonly app: { request: Parameters<typeof openPage>[0]['request'] }
  readonly env: object
  readonly connections: readonly Connection[]
}

interface Request {
  readonly process: Process
  readonly customer: Customer
  readonly naming: Naming
  readonly startedAt: Step
  readonly startedMs: number
  /** The sections that have read the store, so that they know what other processes wrote. */
  readonly read: Set<number>
  link?: string
}

/** Something that made the content of some entries wrong: what was read before `wrongBefore`. */
interface Event {
  readonly process: Process
  readonly slots: ReadonlySet<string>
  readonly wrongBefore: Step
  readonly toldAt: Step
  /** When its page told the agent, without a failure of the store. */
  completed?: Moment
}

interface Load {
  readonly request: Request
  readonly index: number
  readonly startedMs: number
  read?: Moment & { readonly status: Status }
  settle(isFailure: boolean): void
}

interface Run {
  readonly request: Request
  readonly process: Process
  settle(error?: Error): void
}

const MAX_SKEW_MS = 5_000
let worlds = 0

/** The processes, their store and their source, moved by a schedule, and the checks of content. */
export class World implements Source, Timeline {
  readonly loads: Load[] = []
  readonly runs: Run[] = []
  readonly accesses: Access[] = []
  /** How often cached content was shown, and how often an action ended. */
  readonly counts = { cached: 0, actions: 0 }
  nowMs = 1_800_000_000_000
  readonly #name = `model ${(worlds += 1)}`
  readonly #design: Design
  readonly #stores: Stores
  readonly #processes: Process[] = []
  readonly #sources: Record<Customer, Status> = { a: 'present', b: 'present' }
  readonly #requests: Request[] = []
  readonly #events: Event[] = []
  readonly #reads = new Map<Step, number>()
  readonly markWrites: MarkWrite[] = []
  readonly #marks = new Map<string, string>()
  readonly #violations: string[] = []
  step: Step = 0
  #flushedAt: Step = 0

  constructor(design: Design, stores: Stores) {
    this.#design = design
    this.#stores = stores
  }

  /** The time of the process whose code is running. */
  readonly now = (): number => this.nowMs + (contexts.getStore()?.process.offsetMs ?? 0)

  /** Opens a sidebar, and checks the complete response. */
  open(index: number, customer: Customer, naming: Naming): void {
    const process = this.#processes[index]!
    const [startedAt, startedMs] = [this.tick(), this.nowMs]
    const request: Request = { process, customer, naming, startedAt, startedMs, read: new Set() }
    this.#requests[startedAt] = request
    const account = accountOf(customer, naming)
    const query = new URLSearchParams({
      request_type: 'fetch_data',
      organization_id: 'o',
      issue_id: String(startedAt),
      ...(account !== undefined && { account_id: account }),
      ...(naming !== 'account' && { requester_email: `${customer}@x.example` }),
    })
    const isFound = this.#isInside || this.#sources[customer] === 'present'
    void contexts.run({ process, request }, async () => {
      const response = await process.app.request(`/?${query}`, {}, process.env)
      const { components }: any = await response.json()
      if (!process.isRunning) return
      request.link = components.find(({ type }: any) => type === 'button')?.url
      for (const { header, components: own = [] } of components) {
        const shown = own.find(({ label }: any) => label === 'Content')?.value
        if (shown !== undefined) this.#check(request, Number(header.title), shown, isFound)
      }
    })
  }

  /** The agent confirms the action of an earlier sidebar, in any process. */
  act(index: number, back: number): void {
    const links = this.#requests.filter(({ link }) => link !== undefined)
    const request = links.at(-1 - (back % Math.max(links.length, 1)))
    if (request === undefined) return
    const process = this.#processes[index]!
    this.tick()
    const app = {
      request: (path: string, init: object = {}) => process.app.request(path, init, process.env),
    }
    void contexts.run({ process, request }, async () => {
      const page = await openPage(app, request.link!)
      if (page.form === undefined) return
      const since = this.step
      await confirmPage(app, page, {})
      // In an outage, the marks are written later.
      if (process.connections.some((each) => each.failedLast >= since || each.failedSince)) return
      for (const event of this.#events.filter(({ toldAt }) => toldAt > since)) {
        if (event.process !== process || this.#slotsOf(request) !== event.slots) continue
        event.completed = { step: this.tick(), ms: this.nowMs }
      }
    })
  }

  /** A run of an action ends. It has changed what sections show. */
  endRun(index: number, how: 'done' | 'unknown'): void {
    const run = this.runs[index % this.runs.length]
    if (run === undefined) return
    this.runs.splice(this.runs.indexOf(run), 1)
    const { process, request } = run
    if (!process.isRunning) return
    const step = this.tick()
    this.counts.actions += 1
    const slots = this.#slotsOf(request)
    this.#events.push({ process, slots, wrongBefore: step, toldAt: step })
    run.settle(how === 'done' ? undefined : new Error('Nobody knows.'))
  }

  change(customer: Customer, status: Status): void {
    this.tick()
    this.#sources[customer] = status
  }

  /** The source reads what a load asked for. */
  read(index: number): void {
    const load = this.loads[index % this.loads.length]
    if (load === undefined || load.read !== undefined) return
    const status = this.#sources[load.request.customer]
    load.read = { step: this.tick(), ms: this.nowMs, status }
    this.#reads.set(load.read.step, this.nowMs)
  }

  finish(index: number, isFailure: boolean): void {
    const load = this.loads[index % this.loads.length]
    if (load?.read === undefined) return
    this.loads.splice(this.loads.indexOf(load), 1)
    const { process } = load.request
    if (!process.isRunning) return
    const toldAt = this.tick()
    const slot = this.#slotOf(load.request, load.index)
    const isSeen = !isFailure && this.nowMs - load.startedMs < TIMEOUT_MS
    if (this.#isInside && load.read.status !== 'present' && isSeen && slot !== undefined) {
      const slots = new Set([slot])
      this.#events.push({ process, slots, wrongBefore: load.read.step, toldAt })
    }
    load.settle(isFailure)
  }

  /** An access takes effect. Its reply can get lost, or it takes effect after a timeout. */
  async access(index: number, how: 'ok' | 'failed' | 'no reply' | 'late'): Promise<void> {
    const access = this.accesses[index % this.accesses.length]
    if (access === undefined) return
    this.tick()
    const error = new Error('The store failed.')
    if (how === 'late') return access.settle(error)
    this.accesses.splice(this.accesses.indexOf(access), 1)
    try {
      if (how !== 'failed') await access.apply()
      access.settle(how === 'ok' ? undefined : error)
    } catch (error_) {
      access.settle(error_)
    }
  }

  /** Time passes. Each access has a timeout, after which it can still take effect. */
  pass(ms: number): void {
    this.tick()
    this.nowMs += ms
    this.timeOut()
  }

  timeOut(): void {
    for (const access of this.accesses) access.settle(new Error('The store timed out.'))
  }

  setStoreDown(index: number, isDown: boolean): void {
    this.#processes[index]!.isStoreDown = isDown
  }

  async operate(index: number): Promise<void> {
    this.tick()
    if (index > 0) return void (await this.#stores.evict?.(index))
    await this.#stores.flush?.()
    if (this.#stores.flush !== undefined) this.#flushedAt = this.step
  }

  /** Ends a process, and starts another one in its place. */
  async restart(index: number): Promise<void> {
    const old = this.#processes[index]!
    old.isRunning = false
    await this.start(index, old.offsetMs)
  }

  /** @throws if content of the wrong customer, of the wrong age or from before an event was shown */
  assertTrue(): void {
    if (this.#violations.length > 0) throw new Error(this.#violations.join('\n'))
  }

  get #isInside(): boolean {
    return this.#design.identity.startsWith('inside')
  }

  tick(): Step {
    return (this.step += 1)
  }

  #slotOf({ customer, naming }: Request, index: number): string | undefined {
    return slotOf(this.#design, index, customer, naming)
  }

  readonly #slots = new Map<Request, ReadonlySet<string>>()

  /** The entries of the sections that a response showed. */
  #slotsOf(request: Request): ReadonlySet<string> {
    const all = SHAPES[this.#design.shape].map((_, index) => this.#slotOf(request, index))
    const slots = this.#slots.get(request) ?? new Set(all.filter((slot) => slot !== undefined))
    this.#slots.set(request, slots)
    return slots
  }

  #check(request: Request, index: number, shown: string, isFound: boolean): void {
    const { process, customer, startedAt, startedMs } = request
    const about = `section ${index} of request ${startedAt} shows ${shown}`
    const [, owner, from, text] = /^(\w) (\d) (\d+)$/.exec(shown) ?? []
    const step = Number(text)
    const readMs = this.#reads.get(step) ?? Number.NaN
    if (step < startedAt) this.counts.cached += 1
    const report = (problem: string) => this.#violations.push(`${about}: ${problem}`)
    if (owner !== customer) report('a different customer')
    if (Number(from) !== index) report('a different section')
    if (!isFound) report('a customer who was not found')
    const offsets = this.#processes.map(({ offsetMs }) => offsetMs)
    const skewMs = Math.min(MAX_SKEW_MS, Math.max(...offsets) - Math.min(...offsets))
    const lifeMs = (LIFE_SECONDS.ttlSeconds + LIFE_SECONDS.staleSeconds) * 1_000
    if (!(startedMs - readMs <= lifeMs + skewMs)) report('too old')
    const slot = this.#slotOf(request, index)
    if (slot === undefined) return void (step < startedAt && report('it has no key'))
    const { failedSince } = process.connections[SHAPES[this.#design.shape][index]!]!
    // In an outage, a process cannot know what others have told the store.
    const knownAt = request.read.has(index) ? startedAt : Math.min(startedAt, failedSince ?? 0)
    const isKnown = (moment: Moment | undefined) =>
      moment !== undefined && moment.step < knownAt && moment.ms + this.#stores.delayMs <= startedMs
    for (const event of this.#events) {
      if (!event.slots.has(slot) || step >= event.wrongBefore) continue
      const isOwn = event.process === process && event.toldAt < startedAt
      const isLost = Math.max(step, event.toldAt) < this.#flushedAt
      const isWritten = this.markWrites.some(
        (write) =>
          write.host === event.process &&
          this.#marks.get(write.name) === slot &&
          write.issuedAt >= event.toldAt &&
          isKnown(write),
      )
      if (!isLost && (isOwn || isKnown(event.completed) || isWritten)) {
        report(`an event of step ${event.wrongBefore}, told in step ${event.toldAt}`)
      }
    }
  }

  async start(index: number, offsetMs: number): Promise<void> {
    const modules = await loadModules()
    const host: Host = { offsetMs, isRunning: true, isStoreDown: false }
    const connect = () => new Connection(this.#stores.connect(modules), host, this)
    const connections = [connect(), connect()]
    const stores = connections.map((each) => (this.#stores.isMemory ? each.adapter : each))
    const app = contexts.run({ process: host }, () =>
      createApp(modules, this.#design, this.#name, stores, this),
    )
    this.#processes[index] = Object.assign(host, { app, env: {}, connections })
  }

  find(customer: Customer): { id: Customer }[] {
    return Array.from({ length: MATCHES[this.#sources[customer]] }, () => ({ id: customer }))
  }

  load(index: number): Promise<{ id: Customer; text: string }[]> {
    this.tick()
    const request = contexts.getStore()!.request as Request
    return new Promise((resolve, reject) => {
      const settle = (isFailure: boolean) => {
        const { status, step } = load.read!
        const found = { id: request.customer, text: `${request.customer} ${index} ${step}` }
        if (isFailure) reject(new Error('The source failed.'))
        else resolve(Array.from({ length: this.#isInside ? MATCHES[status] : 1 }, () => found))
      }
      const load: Load = { request, index, startedMs: this.nowMs, settle }
      this.loads.push(load)
    })
  }

  run(step: number): Promise<void> {
    this.tick()
    const process = contexts.getStore()!.process as Process
    const request = this.#requests[step]!
    return new Promise((resolve, reject) => {
      const settle = (error?: Error) => (error === undefined ? resolve() : reject(error))
      this.runs.push({ request, process, settle })
    })
  }

  inSection<R>(index: number, run: () => R): R {
    return contexts.run({ ...contexts.getStore()!, index }, run)
  }

  readsMark(name: string): void {
    const { request, index } = contexts.getStore()!
    this.#marks.set(name, this.#slotOf(request as Request, index!) ?? '')
  }
}
