import { postgresReceipts } from 'sidecard/actions'
import { getDatabase } from '../../../templates/postgres/src/database.ts'

/**
 * Stores what was confirmed, by whom, and the outcome, in the database of this project. Create the
 * table with CREATE_RECEIPTS_TABLE of sidecard/actions, in a migration.
 */
export const receipts = postgresReceipts((text, values) => getDatabase().query(text, values))
