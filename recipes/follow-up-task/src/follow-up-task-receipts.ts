import { memoryReceipts } from 'sidecard/actions'

/**
 * What was confirmed, by whom, and what came of it: in the memory of this process, until it ends.
 * For several processes, use postgresReceipts(), sqliteReceipts() or redisReceipts().
 */
export const receipts = memoryReceipts()
