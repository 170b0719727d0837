import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { CREATE_RECEIPTS_TABLE } from 'sidecard/actions'
import { afterAll, beforeAll, expect } from 'vitest'
import { confirmPage, openPage, readLinks } from './actions.ts'
import { findFreePort } from './free-port.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { createEffects, createRefundingApp, openReceipts, type Step } from './refunding-app.ts'

const HOOKS = new URL('use-source.ts', import.meta.url).href
const PROGRAM = new URL('../fixtures/confirming-process.ts', import.meta.url).pathname

/** Confirms pages in a different process. Returns the outcomes, or none if it is killed. */
async function confirmElsewhere(
  url: string,
  file: string,
  pages: readonly object[],
  step?: Step,
): Promise<string[]> {
  const args = ['--import', HOOKS, PROGRAM, url, file, JSON.stringify(pages)]
  const all = step === undefined ? args : [...args, step]
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  const [, signal] = (await once(child, 'close')) as [number, string | null]
  expect(signal).toBe(step === undefined ? null : 'SIGKILL')
  return step === undefined ? (JSON.parse(output) as string[]) : []
}

/** An action of a new customer, in a store that other processes share. */
export function createSharedAction(url: string, file: string, run?: () => unknown) {
  const { receipts, close, ready, release } = openReceipts(url)
  const effects = createEffects(file)
  const app = createRefundingApp(receipts, file, { run })
  const path = `/?request_type=fetch_data&account_id=${crypto.randomUUID()}`
  const settings = (waitedMs: number) => ({ now: () => Date.now() + waitedMs, detached: true })
  /** Opens a new link as an agent, some time later. */
  const open = async (agent = 'agent-0', waitedMs = 0) => {
    await ready?.()
    const [link] = await readLinks(app, path, undefined, settings(waitedMs))
    const init = { headers: { 'x-agent': agent } }
    const page = await openPage(app, link!, init, undefined, settings(waitedMs))
    const { t, form, seen, outcome, html } = page
    return { t, form, seen, outcome, html, agent }
  }
  type Opened = Awaited<ReturnType<typeof open>>
  /** Waits until every link shows what the store has. */
  const expectStored = async (text: string) => {
    const read = async () => (await open().catch(() => undefined))?.html
    await expect.poll(read, { timeout: 20_000 }).toContain(text)
  }
  const confirm = async (page: Opened, waitedMs = 0, values?: Record<string, string>) => {
    await ready?.()
    const headers = { 'sec-fetch-site': 'same-origin', 'x-agent': page.agent }
    return confirmPage(app, page, values, headers, undefined, settings(waitedMs))
  }
  const elsewhere = async (pages: readonly Opened[], step?: Step) => {
    await release?.()
    const sent = pages.map(({ t, form, seen, agent }) => ({ t, form, seen, agent }))
    return confirmElsewhere(url, file, sent, step)
  }
  return { effects, open, confirm, elsewhere, expectStored, close }
}

/** Creates names of files in a folder that lives as long as the tests. */
export function useFiles(): () => string {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-receipts-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return () => join(folder, crypto.randomUUID())
}

/** Starts a PostgreSQL with the table of receipts for the tests, if this machine has it. */
export function usePostgres(bin: string | undefined): () => Postgres {
  let server: Postgres
  beforeAll(async () => {
    server = startPostgres(bin ?? '', await findFreePort())
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query(CREATE_RECEIPTS_TABLE)
    await client.end()
  })
  afterAll(() => server.stop())
  return () => server
}

/** Confirms one page 20 times in each of two processes. */
export async function expectOneEffectOfForm(url: string, file: string): Promise<void> {
  const shared = createSharedAction(url, file)
  const page = await shared.open()
  const pages = Array.from({ length: 20 }, () => page)
  const both = await Promise.all([shared.elsewhere(pages), shared.elsewhere(pages)])
  expect(shared.effects.count()).toBe(1)
  const outcomes = both.flat()
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
  // The others show the result of the first one.
  expect(outcomes.filter((outcome) => outcome === 'already_done')).toHaveLength(39)
  await shared.close()
}

/** Twelve agents open one link each, and confirm them in two processes. */
export async function expectOneEffectOfLinks(url: string, file: string): Promise<void> {
  const shared = createSharedAction(url, file)
  const agents = Array.from({ length: 12 }, (_, index) => `agent-${index}`)
  const pages = await Promise.all(agents.map((agent) => shared.open(agent)))
  const both = [shared.elsewhere(pages.slice(0, 6)), shared.elsewhere(pages.slice(6))]
  const outcomes = (await Promise.all(both)).flat()
  expect(shared.effects.count()).toBe(1)
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
  expect(
    outcomes.every((outcome) => ['done', 'already_done', 'in_progress'].includes(outcome)),
  ).toBe(true)
  await shared.close()
}

/** Kills a process at a step, and follows what agents do afterwards. */
export async function expectNoEffectAfterKill(
  url: string,
  file: string,
  step: Step,
): Promise<void> {
  const shared = createSharedAction(url, file)
  const { effects, open, confirm } = shared
  const page = await open()
  await shared.elsewhere([page], step)
  const hasEffect = ['after the effect', 'before settle', 'after settle'].includes(step)
  const hasBegun = !['before list', 'before begin'].includes(step)
  const isStored = step === 'after settle'
  expect(effects.count()).toBe(hasEffect ? 1 : 0)
  // A proxy sends the form again, and a second agent opens a new link.
  const afterMs = 30_000
  const again = await confirm(page, afterMs)
  const seen = await open('agent-1', afterMs)
  if (!hasBegun || isStored) {
    expect(again.outcome).toBe(isStored ? 'already_done' : 'done')
    expect(seen.html).toContain('Last done')
    expect(effects.count()).toBe(1)
    return shared.close()
  }
  expect([again.outcome, seen.outcome]).toEqual(['unknown', 'unknown'])
  expect(seen.html).toContain('Confirmed by agent-0@acme.example: ')
  expect(seen.html).not.toContain('It did not go through')
  expect(effects.count()).toBe(hasEffect ? 1 : 0)
  const laterMs = 200_000
  const over = await open('agent-1', laterMs)
  const form = await confirm(over, laterMs, { resolve: hasEffect ? 'done' : 'not_done' })
  expect(form.outcome).toBe('shown')
  const last = await confirm({ ...form, agent: 'agent-1' }, laterMs)
  expect(last.outcome).toBe('done')
  expect(effects.count()).toBe(hasEffect ? 2 : 1)
  return shared.close()
}
