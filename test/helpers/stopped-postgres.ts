import pg from 'pg'
import { expect } from 'vitest'
import { DEFAULT_ACTION_MESSAGES } from '../../src/runtime/actions/messages.ts'
import { ActionError } from '../../src/runtime/actions/index.ts'
import { confirmPage, openPage, readLinks } from './actions.ts'
import type { Postgres } from './postgres.ts'
import { createEffects, createRefundingApp, openReceipts } from './refunding-app.ts'

const RUNS: readonly (readonly [string, () => unknown])[] = [
  ['done', () => undefined],
  ['refused', () => Promise.reject(new ActionError('Not now.'))],
]

/** Stops the server while `run` works, and starts it again after the page has been shown. */
export async function expectOutcomeAfterStop(server: Postgres, file: string): Promise<void> {
  const { receipts, close } = openReceipts(server.url)
  for (const [state, run] of RUNS) {
    const effects = createEffects(file)
    const app = createRefundingApp(receipts, file, {
      run: () => {
        server.pause()
        return run()
      },
    })
    const path = `/?request_type=fetch_data&account_id=${crypto.randomUUID()}`
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const [link] = await readLinks(app, path)
    // oxlint-disable-next-line no-await-in-loop -- as above
    const page = await openPage(app, link!)
    const detached = { detached: true }
    // oxlint-disable-next-line no-await-in-loop -- as above
    const ended = await confirmPage(app, page, undefined, undefined, undefined, detached)
    server.resume()
    expect(ended).toMatchObject({ outcome: state })
    expect(ended.html).toContain(DEFAULT_ACTION_MESSAGES.notStored)
    const stored = state === 'done' ? 'already_done' : 'shown'
    // oxlint-disable-next-line no-await-in-loop -- as above
    await expect
      .poll(async () => (await openPage(app, link!)).outcome, { timeout: 20_000 })
      .toBe(stored)
    expect(effects.count()).toBe(1)
  }
  await close()
}

/** Confirms 40 times while backends are killed at random. Every outcome that is shown is stored. */
export async function expectOutcomesDespiteKills(server: Postgres, file: string): Promise<void> {
  const { receipts, close } = openReceipts(server.url)
  const effects = createEffects(file)
  const app = createRefundingApp(receipts, file)
  const path = `/?request_type=fetch_data&account_id=${crypto.randomUUID()}`
  const [link] = await readLinks(app, path)
  const page = await openPage(app, link!)
  const admin = new pg.Client({ connectionString: server.url, application_name: 'admin' })
  await admin.connect()
  const over = new AbortController()
  const kill = async () => {
    while (!over.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name <> 'admin' AND backend_type = 'client backend'
        ORDER BY random() LIMIT 1`,
      )
    }
  }
  const killing = kill()
  const detached = { detached: true }
  const sent = Array.from({ length: 40 }, () =>
    confirmPage(app, page, undefined, undefined, undefined, detached),
  )
  const outcomes = (await Promise.all(sent)).map(({ outcome }) => outcome)
  over.abort()
  await killing
  await admin.end()
  expect(effects.count()).toBeLessThanOrEqual(1)
  const isDone = outcomes.includes('done')
  expect(isDone).toBe(effects.count() === 1)
  await expect
    .poll(async () => (await openPage(app, link!)).outcome, { timeout: 20_000 })
    .toBe(isDone ? 'already_done' : 'shown')
  await close()
}

/** Confirms one form 40 times in a database whose transactions are serializable by default. */
export async function expectOneSerializableEffect(server: Postgres, file: string): Promise<void> {
  const url = `${server.url}?options=-c%20default_transaction_isolation%3Dserializable`
  const { receipts, close } = openReceipts(url)
  const effects = createEffects(file)
  const app = createRefundingApp(receipts, file)
  const path = `/?request_type=fetch_data&account_id=${crypto.randomUUID()}`
  const [link] = await readLinks(app, path)
  const page = await openPage(app, link!)
  const sent = Array.from({ length: 40 }, () => confirmPage(app, page))
  const outcomes = (await Promise.all(sent)).map(({ outcome }) => outcome)
  expect(effects.count()).toBe(1)
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
  expect(await openPage(app, link!)).toMatchObject({ outcome: 'already_done' })
  await close()
}
