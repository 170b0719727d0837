import { expect, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import { startProxy } from '../helpers/proxy.ts'
import { runOn, RUNTIMES } from './runtimes.ts'

test.each(RUNTIMES)(
  'the client works on %s',
  async (...runtime) => {
    await using emulator = createEmulator({ dataset: 'large' })
    const { url } = await emulator.listen()
    expect(await runOn(runtime, 'client-program.ts', [url, emulator.accessToken])).toEqual({
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

test('the client uses the proxy of the environment on Node', async () => {
  await using emulator = createEmulator({ dataset: 'large' })
  const { url } = await emulator.listen()
  const proxy = await startProxy(url)
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.url, NO_PROXY: '' }
  const args = [url, emulator.accessToken]
  expect(await runOn(RUNTIMES[0]!, 'client-program.ts', args, env)).toMatchObject({ users: 1_234 })
  const { host } = new URL(url)
  expect(new Set(proxy.requests.map((request) => request.split(' ')[1]))).toEqual(new Set([host]))
}, 30_000)
