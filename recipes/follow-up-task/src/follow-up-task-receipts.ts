import { memoryReceipts } from 'sidecard/actions'

/**
 * Stores what was confirmed, by whom, and the outcome, in the memory of this process.
 * For several processes, use postgresReceipts() or sqliteReceipts().
 */
export const receipts = memoryReceipts()
