import { migrate, openDatabase } from './database.ts'
import { readEnv } from './env.ts'

const database = await openDatabase(readEnv().DATABASE_URL)
await migrate(database)
if (process.argv.includes('--seed')) await database.runFile('seed.sql')
await database.close()
