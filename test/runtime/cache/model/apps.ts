import type { FetchDataContext } from 'sidecard'
import type { StoreAdapter } from 'sidecard/cache'
import { vi } from 'vitest'
import { z } from 'zod/mini'
import { AGENT, PUBLIC_URL, SECRET } from '../../../helpers/actions.ts'

export type Customer = 'a' | 'b'

/** How a request names its customer. */
export type Naming = 'account' | 'email' | 'both'

/** The lifetime of entries, and the timeouts of the app. */
export const LIFE_SECONDS = { ttlSeconds: 60, staleSeconds: 600 }
export const TIMEOUT_MS = 5_000

/** The cache of each section, by index. */
export const SHAPES = {
  'one section': [0],
  'two sections of one cache': [0, 0],
  'two sections of two caches': [0, 1],
  'eight sections': [0, 1, 0, 1, 0, 0, 1, 1],
} as const

export const IDENTITIES = [
  'outside, with id',
  'outside, with id',
  'outside',
  'outside, with an absent id',
  'inside, with id',
  'inside, with id',
  'inside',
] as const

/** The values of `key` that teams write. A part is absent if the request does not name the account. */
const KEYS = {
  none: () => undefined,
  constant: () => ['orders'],
  account: (account: string | undefined) => [account],
  template: (account: string | undefined) => [`acc_${account}`],
}
export const KEY_KINDS = ['none', 'constant', 'account', 'template'] as const

/** The app of a schedule. */
export interface Design {
  readonly shape: keyof typeof SHAPES
  readonly identity: (typeof IDENTITIES)[number]
  readonly keys: readonly (keyof typeof KEYS)[]
}

/** Returns what a section has as its key. */
function keyOf({ identity, keys }: Design, index: number, account: string | undefined) {
  const kind = keys[index % keys.length]!
  // With a constant key, a section that finds its customer itself would be the same for all.
  return KEYS[identity.startsWith('inside') && kind === 'constant' ? 'account' : kind](account)
}

export const accountOf = (customer: Customer, naming: Naming) =>
  naming === 'email' ? undefined : customer.toUpperCase()

/** Names the entry that the design asks for; `undefined` if the section is not cached. */
export function slotOf(design: Design, index: number, customer: Customer, naming: Naming) {
  const account = accountOf(customer, naming)
  const kind = design.keys[index % design.keys.length]!
  const isInside = design.identity.startsWith('inside')
  const needsAccount =
    kind === 'account' || kind === 'template' || (isInside && kind === 'constant')
  if (needsAccount && account === undefined) return undefined
  if (design.identity === 'outside, with an absent id' || (isInside && kind === 'none'))
    return undefined
  const via = naming === 'email' ? 'email' : 'account'
  const found = design.identity === 'outside' ? `${customer} by ${via}` : customer
  return `section ${index} of ${found}, ${needsAccount ? 'account' : 'constant'}`
}

/** The source that a schedule moves, as an app uses it. */
export interface Source {
  find(customer: Customer): readonly { readonly id: Customer }[]
  load(index: number): Promise<readonly { readonly id: Customer; readonly text: string }[]>
  run(request: number): Promise<void>
  inSection<R>(index: number, run: () => R): R
}

/** Loads the modules of a process, which share no state with those of a different process. */
export async function loadModules() {
  vi.resetModules()
  const modules = [
    import('sidecard'),
    import('sidecard/actions'),
    import('sidecard/cache'),
  ] as const
  const [kit, actions, cache] = await Promise.all(modules)
  return { ...kit, ...actions, ...cache }
}

export type Modules = Awaited<ReturnType<typeof loadModules>>

/** Creates the app of a process, with its own caches. */
export function createApp(
  modules: Modules,
  design: Design,
  name: string,
  stores: readonly StoreAdapter[],
  source: Source,
) {
  const { action, actions, identify, memoryReceipts, noAuth, section, sectionCache } = modules
  const { identity, shape } = design
  const show = ({ text: value }: { readonly text: string }) =>
    modules.text({ label: 'Content', value })
  const caches = stores.map((store, index) =>
    sectionCache({ name: `${name} ${index}`, store, ...LIFE_SECONDS }),
  )
  const find = async <T extends object>(
    ctx: FetchDataContext,
    lookUp: (customer: Customer) => T | PromiseLike<T>,
    signal: AbortSignal,
  ) => {
    const lookups = {
      account_id: (id: string) => lookUp(id.toLowerCase() as Customer),
      requester_email: (email: string) => lookUp(email[0] as Customer),
    }
    const id = (found: any) => (identity.endsWith('absent id') ? found.ID : found.id)
    const options = { signal, ...(identity.includes('with') && { id }) }
    return (await identify(ctx, lookups as never, options as never)) as { value: any }
  }
  const change = action()({
    name: 'change',
    label: 'Change',
    input: z.object({ request: z.number() }),
    timeoutMs: TIMEOUT_MS,
    show: () => [],
    run: (_, { request }) => source.run(request),
  })
  return modules.sidecard({
    name,
    header: { title: name },
    auth: noAuth(),
    logger: false,
    timeoutMs: TIMEOUT_MS,
    instrument: {
      span: (kind, attributes, run) =>
        kind === 'section' ? source.inSection(Number(attributes['sidecard.section']), run) : run(),
    },
    async fetchData(ctx) {
      const isInside = identity.startsWith('inside')
      if (!isInside) await find(ctx, (customer) => source.find(customer), ctx.signal)
      const request = Number(ctx.params.issue_id)
      const sections = SHAPES[shape].map((cache, index) => {
        const load = async (signal: AbortSignal) => {
          if (!isInside) return show((await source.load(index))[0]!)
          return show((await find(ctx, () => source.load(index), signal)).value)
        }
        const key = keyOf(design, index, ctx.params.account_id)
        return section(String(index), load, { cache: caches[cache]!, ...(key && { key }) })
      })
      return [change.button({ request }), ...sections]
    },
    actions: actions({
      list: [change],
      publicUrl: PUBLIC_URL,
      secret: SECRET,
      signIn: () => AGENT,
      receipts: memoryReceipts(),
    }),
  })
}
