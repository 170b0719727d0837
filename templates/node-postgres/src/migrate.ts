import { openDatabase } from './database.ts'

const database = await openDatabase()
await database.runFile('migrations/0001_customers.sql')
if (process.argv.includes('--seed')) await database.runFile('seed.sql')
await database.close()
