import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import {
  type Behavior,
  BEHAVIORS,
  DEPENDENCIES,
  seeDependency,
} from '../helpers/dependency-apps.ts'

const SERVER = new URL('../fixtures/dependency-server.ts', import.meta.url).pathname

test('behind serve() in a child process, each dependency costs only itself', async () => {
  const child = spawn('node', [SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const origin = `http://127.0.0.1:${Number(line.toString())}`
    const rows = await Promise.all(
      Object.entries(DEPENDENCIES).flatMap(([dependency, { seen }], of) =>
        (Object.keys(BEHAVIORS) as Behavior[]).map(async (behavior, how) => {
          const shown = await seeDependency((query, init) =>
            fetch(`${origin}/${of}/${how}${query}`, init),
          )
          return { name: `${dependency} ${behavior}`, shown, expected: seen(behavior) }
        }),
      ),
    )
    expect(rows.map(({ name, shown }) => [name, ...shown])).toEqual(
      rows.map(({ name, expected }) => [name, ...expected]),
    )
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    // The audit record that hangs was abandoned.
    expect(await exit).toEqual([1, null])
  } finally {
    child.kill('SIGKILL')
  }
})
