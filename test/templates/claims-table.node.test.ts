import { readFile } from 'node:fs/promises'
import { CLAIMS_TABLE } from 'sidecard/actions'
import { expect, test } from 'vitest'

test('the migration of the template node-postgres creates the table that postgresClaims() uses', async () => {
  const file = new URL('../../templates/node-postgres/migrations/0002_claims.sql', import.meta.url)
  expect(await readFile(file, 'utf8')).toBe(`${CLAIMS_TABLE};\n`)
})
