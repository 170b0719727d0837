import { expect, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import { runOn, RUNTIMES } from './runtimes.ts'

test.each(RUNTIMES)(
  'the client works on %s',
  async (...runtime) => {
    await using emulator = createEmulator({ dataset: 'large' })
    const { url } = await emulator.listen()
    expect(await runOn(runtime, 'client-program.ts', url, emulator.accessToken)).toEqual({
      task: ['Zurück 📞', '1970-01-01T00:00:00.000Z'],
      redacted: '',
      users: 1_234,
      pages: [50, 50, 50, 50, 50, 10],
      attempts: 1,
      rejected: 401,
    })
  },
  60_000,
)
