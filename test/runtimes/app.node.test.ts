import { expect, test } from 'vitest'
import { runOn, RUNTIMES } from './runtimes.ts'

test.each(RUNTIMES)(
  'an app works on %s',
  async (...runtime) => {
    expect(await runOn(runtime, 'app-program.ts')).toEqual({
      handshake: '{"code":"a+b 🔑"}',
      titles: ['acc_1', 'Slow', 'Broken'],
      leaked: false,
      rejected: 401,
      unknown: 400,
    })
  },
  60_000,
)
