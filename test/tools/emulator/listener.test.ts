import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import { start } from './control.ts'

test.each([NaN, -1, 65_536, 1.5, '8787', 'path'])('the port %s is rejected', async (port) => {
  await using emulator = createEmulator()
  await expect(emulator.listen({ port: port as number })).rejects.toMatchObject({
    code: 'invalid_options',
    message: 'emulator.listen: port must be an integer from 0 to 65535.',
  })
})

test('a second listener on a port is rejected with a fix', async () => {
  const { port } = await start()
  const other = createEmulator()
  onTestFinished(() => other.close())
  await expect(other.listen({ port })).rejects.toMatchObject({
    code: 'port_in_use',
    message: `Port ${port} is in use. Stop the other process or choose another port with --port (0 picks a free port).`,
    cause: { code: 'EADDRINUSE' },
  })
})

test('an address of another machine is rejected', async () => {
  await using emulator = createEmulator()
  await expect(emulator.listen({ port: 0, hostname: '192.0.2.1' })).rejects.toMatchObject({
    code: 'cannot_listen',
    message: 'Cannot listen on port 0 (EADDRNOTAVAIL). Choose another address or port.',
    cause: { code: 'EADDRNOTAVAIL' },
  })
})

test('an emulator listens once, and not after it was closed', async () => {
  const { emulator } = await start()
  const rejection = {
    code: 'already_listening',
    message: 'The emulator is already listening or is closed.',
  }
  await expect(emulator.listen()).rejects.toMatchObject(rejection)
  await emulator.close()
  await expect(emulator.listen()).rejects.toMatchObject(rejection)
  const closed = createEmulator()
  await closed.close()
  await expect(closed.listen()).rejects.toMatchObject(rejection)
})

const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
)

test.runIf(hasIpv6).each(['::1', '::'])(
  'a listener on %s has a URL with brackets',
  async (hostname) => {
    const emulator = createEmulator()
    onTestFinished(() => emulator.close())
    const { url, port, token } = await emulator.listen({ hostname })
    expect(url).toBe(`http://[${hostname}]:${port}`)
    const answer = await fetch(`http://[::1]:${port}/favicon.ico`)
    expect(answer.status).toBe(token === undefined ? 204 : 401)
  },
)

test('a database in memory leaves no file', async () => {
  await createEmulator().close()
  expect(existsSync(':memory:')).toBe(false)
})

test('closing ends open streams immediately, and closing twice does nothing', async () => {
  const { emulator, control } = await start()
  const { body } = await control('events')
  await emulator.close()
  await emulator.close()
  await expect(body?.pipeTo(new WritableStream())).rejects.toThrow('terminated')
})
