import { expect, test } from 'vitest'
import { compareAll, createDependencyApp } from '../../helpers/dependency-apps.ts'

test('a dependency that hangs, throws, returns garbage or is late costs only itself', async () => {
  const { shown, documented } = await compareAll((dependency, behavior) => {
    const app = createDependencyApp(dependency, behavior)
    const env = {}
    return (path, init) => app.request(`/${path}`, init, env)
  })
  expect(shown).toEqual(documented)
})
