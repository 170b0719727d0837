import { audit, type AuditRecord, text } from 'sidecard'
import { type Agent, memoryReceipts, type Receipt, type Receipts } from 'sidecard/actions'
import {
  AGENT,
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  postForm,
  readLinks,
} from './actions.ts'
import { createRecordingLogger } from './app.ts'

/** A second agent. */
export const SAM = { id: 'agent-8', email: 'sam@acme.example', groups: [] }

/** A `run` that fails after the other system may have done its work. */
export const lost = () => Promise.reject(new Error('lost reply'))

/** A `run` that ends when a test calls `end` or `fail`. */
export function createPendingRun() {
  let current = Promise.withResolvers<any>()
  const run = () => {
    current = Promise.withResolvers()
    return current.promise
  }
  return {
    run,
    end: (value?: unknown) => current.resolve(value),
    fail: (error: unknown) => current.reject(error),
  }
}

/** An app whose agent and clock can change, with what its actions have done, logged and stored. */
export function createDesk(
  overrides: Record<string, any> = {},
  options: any = {},
  appOptions = {},
) {
  const desk = {
    agent: AGENT,
    nowMs: Date.now(),
    keys: [] as string[],
    runs: [] as { input: unknown; values: any; agent: Agent | undefined }[],
    /** Whether requests end before their background work. */
    detached: false,
  }
  const records: AuditRecord[] = []
  const logger = createRecordingLogger()
  const begun: Receipt[] = []
  const store: Receipts = options.receipts ?? memoryReceipts()
  const begin = (one: Receipt, number: number) => (begun.push(one), store.begin(one, number))
  const { run = () => text({ label: 'Result', value: 'r3sult' }), ...others } = overrides
  const extendTrial = createExtendTrial({
    ...others,
    run: (ctx: any, input: any, values: any) => {
      desk.keys.push(ctx.idempotencyKey)
      desk.runs.push({ input, values, agent: ctx.agent })
      return run(ctx, input, values)
    },
  })
  const app = createActionApp(
    extendTrial,
    { signIn: () => desk.agent, ...options, receipts: { ...store, begin } },
    { instrument: audit((record) => void records.push(record)), logger, ...appOptions },
  )
  const settings = {
    now: () => desk.nowMs,
    get detached() {
      return desk.detached
    },
  }
  const newLink = async (path?: string) => (await readLinks(app, path, undefined, settings))[0]!
  const show = (link: string, init = {}) => openPage(app, link, init, undefined, settings)
  const confirm = (
    page: any,
    values: Record<string, string> = { days: '7' },
    headers?: Record<string, string>,
  ) => confirmPage(app, page, values, headers, undefined, settings)
  const post = (fields: Record<string, string>, headers?: Record<string, string>) =>
    postForm(app, fields, headers, undefined, settings)
  const open = async (path?: string) => show(await newLink(path))
  /** Returns the receipt of the last confirmation, as the store has it. */
  const last = async () => {
    const { actionKey, linkId, attemptId } = begun.at(-1)!
    const found = await store.list(actionKey, linkId)
    return found.find((one) => one.attemptId === attemptId)!
  }
  const log = () => JSON.stringify(logger.lines)
  const problems = () => logger.lines.flatMap(({ fields }) => fields['problem'] ?? [])
  const outcomes = () => records.flatMap(({ outcome }) => outcome ?? [])
  const methods = { newLink, show, open, confirm, post, last, log, problems, outcomes }
  return Object.assign(desk, { app, records, logger, begun, store, ...methods })
}
