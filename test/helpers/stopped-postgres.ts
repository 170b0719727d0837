import pg from 'pg'
import { expect } from 'vitest'
import { DEFAULT_ACTION_MESSAGES } from '../../src/runtime/actions/messages.ts'
import { ActionError } from '../../src/runtime/actions/index.ts'
import type { Postgres } from './postgres.ts'
import { createSharedAction } from './receipts-processes.ts'

const RUNS: ReadonlyArray<readonly [string, string, () => unknown]> = [
  ['done', 'Last done', () => undefined],
  ['refused', 'field-days', () => Promise.reject(new ActionError('Not now.'))],
]

/** Stops the server while `run` works, and starts it again after the page has been shown. */
export async function expectOutcomeAfterStop(server: Postgres, file: string): Promise<void> {
  for (const [outcome, stored, run] of RUNS) {
    const stopThenRun = () => {
      server.pause()
      return run()
    }
    const shared = createSharedAction(server.url, file, stopThenRun)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const ended = await shared.confirm(await shared.open())
    server.resume()
    expect(ended).toMatchObject({ outcome })
    expect(ended.html).toContain(DEFAULT_ACTION_MESSAGES.notStored)
    // oxlint-disable-next-line no-await-in-loop -- as above
    await shared.expectStored(stored)
    expect(shared.effects.count()).toBe(1)
    // oxlint-disable-next-line no-await-in-loop -- as above
    await shared.close()
  }
}

/** Confirms 40 times while backends are killed at random. Every outcome that is shown is stored. */
export async function expectOutcomesDespiteKills(server: Postgres, file: string): Promise<void> {
  const shared = createSharedAction(server.url, file)
  const page = await shared.open()
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
  const sent = await Promise.all(Array.from({ length: 40 }, () => shared.confirm(page)))
  over.abort()
  await killing
  await admin.end()
  const isDone = sent.some(({ outcome }) => outcome === 'done')
  expect(shared.effects.count()).toBe(isDone ? 1 : 0)
  await shared.expectStored(isDone ? 'Last done' : 'field-days')
  await shared.close()
}

/** Confirms one form 40 times in a database whose transactions are serializable by default. */
export async function expectOneSerializableEffect(server: Postgres, file: string): Promise<void> {
  const url = `${server.url}?options=-c%20default_transaction_isolation%3Dserializable`
  const shared = createSharedAction(url, file)
  const page = await shared.open()
  const sent = await Promise.all(Array.from({ length: 40 }, () => shared.confirm(page)))
  expect(sent.filter(({ outcome }) => outcome === 'done')).toHaveLength(1)
  expect(shared.effects.count()).toBe(1)
  await shared.expectStored('Last done')
  await shared.close()
}
