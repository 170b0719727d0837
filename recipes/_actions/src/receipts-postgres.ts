import { postgresReceipts } from 'sidecard/actions'
import { getDatabase } from '../../../templates/postgres/src/database.ts'

/** Stores what was confirmed, by whom, and the outcome, in the database of this project. */
export const receipts = postgresReceipts((text, values) => getDatabase().query(text, values))
