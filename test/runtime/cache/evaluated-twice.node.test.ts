import { expect, test, vi } from 'vitest'
import type * as ErrorsApp from '../../fixtures/errors-app.ts'
import { FETCH_DATA } from '../../helpers/app.ts'

test.each([
  ['with Sidecard, as by vi.resetModules()', () => void vi.resetModules()],
  ['alone, as by Vite', () => undefined],
])('a module with a section cache can be evaluated again, %s', async (_, reset) => {
  const apps = []
  for (const evaluation of [1, 2, 3]) {
    reset()
    const path = `../../fixtures/errors-app.ts?evaluation=${evaluation}`
    const { app } = (await import(path)) as typeof ErrorsApp
    apps.push(app)
  }
  expect(new Set(apps).size).toBe(3)
  for (const app of apps.toReversed()) {
    const response = await app.request(FETCH_DATA)
    expect(response.headers.get('x-sidecard-failure')).toBeNull()
    expect(await response.text()).toContain('"value":"3"')
  }
})
