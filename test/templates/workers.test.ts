import { createTestService } from 'sidecard/testing'
import { expect, test, vi } from 'vitest'
import app from '../../templates/workers/src/index.ts'

test('the sidebar of a Worker needs no database, although its actions do', async () => {
  // The app logs that its actions are not available.
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
  const headers = { 'x-sidecard-secret': 'test' }
  const service = createTestService(app, { env: { SIDECARD_SECRET: 'test' }, headers })
  const { outcome, text } = await service.openIssue({ account_id: 'acc_northwind' })
  expect(outcome).toBe('rendered')
  expect(text).toContain('Northwind Traders')
})
