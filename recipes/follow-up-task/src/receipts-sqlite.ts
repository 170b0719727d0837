import { sqliteReceipts } from 'sidecard/actions'
import { database } from '../../../templates/sqlite/src/database.ts'

/** What was confirmed, by whom, and what came of it: in the database of this project. */
export const receipts = sqliteReceipts(database)
