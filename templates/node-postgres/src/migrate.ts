import { openDatabase, seed } from './database.ts'
import { envSchema } from './env.ts'
import { migrate } from './migrations.ts'
import { readEnv } from '../../node/src/read-env.ts'

const env = readEnv(envSchema)
if (!env.DATABASE_URL) {
  console.error('DATABASE_URL is not set. The embedded database migrates itself when it opens.')
  process.exit(1)
}
const database = await openDatabase(env)
try {
  const applied = await migrate(database)
  for (const name of applied) console.log(`Applied ${name}`)
  if (applied.length === 0) console.log('There are no new migrations.')
  if (process.argv.includes('--seed')) {
    await seed(database)
    console.log('Added the customers of seed.sql')
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await database.close()
}
