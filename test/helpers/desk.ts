import { audit, type AuditRecord, text } from 'sidecard'
import { memoryReceipts, type Receipt } from 'sidecard/actions'
import {
  AGENT,
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
} from './actions.ts'

/** Another agent. */
export const SAM = { id: 'agent-8', email: 'sam@acme.example', groups: [] }

/** A `run` that fails after the other system may have done its work. */
export const lost = () => Promise.reject(new Error('lost reply'))

/** An app whose agent and clock can change, with the idempotency keys that `run` received. */
export function createDesk(overrides: Record<string, any> = {}, options = {}, appOptions = {}) {
  const desk = { agent: AGENT, nowMs: Date.now(), keys: [] as string[] }
  const records: AuditRecord[] = []
  const stored: Receipt[] = []
  const memory = memoryReceipts()
  const receipts = { ...memory, begin: (one: Receipt) => (stored.push(one), memory.begin(one)) }
  const { run = () => text({ label: 'Result', value: 'r3sult' }), ...others } = overrides
  const extendTrial = createExtendTrial({
    ...others,
    run: (ctx: any, input: any, values: any) => {
      desk.keys.push(ctx.idempotencyKey)
      return run(ctx, input, values)
    },
  })
  const app = createActionApp(
    extendTrial,
    { signIn: () => desk.agent, receipts, ...options },
    { instrument: audit((record) => void records.push(record)), ...appOptions },
  )
  const settings = { now: () => desk.nowMs }
  const newLink = async (path?: string) => (await readLinks(app, path, undefined, settings))[0]!
  const show = (link: string) => openPage(app, link, {}, undefined, settings)
  const confirm = (page: any, values: Record<string, string> = { days: '7' }) =>
    confirmPage(app, page, values, undefined, undefined, settings)
  const open = async () => show(await newLink())
  const last = () => memory.last(stored.at(-1)!.intent)
  return Object.assign(desk, { app, records, last, newLink, show, open, confirm })
}
