import { memoryReceipts } from 'sidecard/actions'
import { expect, test } from 'vitest'
import { testReceipts } from '../../helpers/receipts.ts'

testReceipts(() => memoryReceipts())

test('memoryReceipts() says which option is wrong', () => {
  const create = () => memoryReceipts({ now: 7 as never })
  expect(create).toThrow('memoryReceipts: now must be a function.')
})
