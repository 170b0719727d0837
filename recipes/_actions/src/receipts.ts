import { DatabaseSync } from 'node:sqlite'
import { type Receipts, sqliteReceipts } from 'sidecard/actions'

let store: Receipts | undefined

/**
 * Stores what was confirmed, by whom, and the outcome, in the file RECEIPTS_PATH. The file must
 * survive a deployment, and all processes must use the same one.
 */
export const receipts = ({
  RECEIPTS_PATH: path,
}: {
  readonly RECEIPTS_PATH?: string | undefined
}) => (store ??= sqliteReceipts(new DatabaseSync(path || 'receipts.sqlite', { timeout: 5_000 })))
