import { describe } from 'vitest'
import { memoryReceipts } from 'sidecard/actions'
import { testReceipts } from '../../helpers/receipts.ts'

describe('memoryReceipts', () => {
  testReceipts(() => memoryReceipts())
})
