import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkDatabase, type Database } from '../src/database.ts'
import { migrate, pendingMigrations } from '../src/migrations.ts'
import { database } from './env.ts'

describe('the migrations', () => {
  test('run once', async () => {
    assert.deepEqual(await migrate(database), [])
    assert.deepEqual(await pendingMigrations(database), [])
  })

  test('that have not run make the health check fail', async () => {
    const query = async () => []
    const empty: Database = { ...database, query }
    await assert.rejects(checkDatabase(empty), /0001_customers\.sql.* Run npm run migrate/)
  })
})
