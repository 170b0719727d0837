import { createTestService } from 'sidecard/testing'
import { expect, test, vi } from 'vitest'
import project from '../sidecard.json' with { type: 'json' }
import app from '../dev/worker.ts'

const env = { SIDECARD_SECRET: 'test', API_URL: 'https://api.example.com' }
const service = createTestService(app, { env, project })

// The app logs the failed section.
vi.spyOn(console, 'error').mockReturnValue()

// __snapshots__ contains what agents see. `npm run test:update` replaces it.
test.each(Object.keys({ ...project.customers, ...project.states }))('%s', async (state) => {
  expect((await service.openState(state)).snapshot).toMatchSnapshot()
})

test('rejects a request without the secret', async () => {
  expect(await createTestService(app, { env }).connect()).toMatchObject({ ok: false })
})
