import { sqliteReceipts } from 'sidecard/actions'
import { database } from '../../../templates/sqlite/src/database.ts'

/** Stores what was confirmed, by whom, and the outcome, in the database of this project. */
export const receipts = sqliteReceipts(database)
