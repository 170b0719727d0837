import { expect, test } from 'vitest'
import {
  type Behavior,
  BEHAVIORS,
  createDependencyApp,
  DEPENDENCIES,
  seeDependency,
} from '../helpers/dependency-apps.ts'

const cases = Object.entries(DEPENDENCIES).flatMap(([dependency, { sentence, seen }]) =>
  (Object.keys(BEHAVIORS) as Behavior[]).map((behavior) => ({
    dependency,
    behavior,
    sentence,
    seen: seen(behavior),
  })),
)

test.concurrent.each(cases)(
  'a $dependency that $behavior costs only itself: $sentence',
  async ({ dependency, behavior, seen }) => {
    const app = createDependencyApp(dependency, behavior)
    const env = {}
    const shown = await seeDependency((query, init) => app.request(`/${query}`, init, env))
    expect(shown).toEqual(seen)
  },
)
