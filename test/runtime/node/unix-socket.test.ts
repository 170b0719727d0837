import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from 'sidecard/node'
import { createTestApp, FETCH_DATA } from '../../helpers/app.ts'

test('serves an app on a Unix socket, and removes the socket when it closes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'app.sock')
  const server = await serve(createTestApp(), { path, handleSignals: false })
  onTestFinished(() => server.close())
  expect([server.url, server.port]).toEqual([`unix:${path}`, 0])

  const [response] = (await once(get({ socketPath: path, path: FETCH_DATA }), 'response')) as [
    IncomingMessage,
  ]
  expect(JSON.parse(await readText(response))).toMatchObject({ version: '1.0.0' })

  await expect(serve(createTestApp(), { path })).rejects.toMatchObject({
    code: 'port_in_use',
    message: `The socket ${path} exists. Stop the process that uses it, or remove the file if none does.`,
  })
  await server.close()
  expect(existsSync(path)).toBe(false)
})

test('a socket in a folder that does not exist is an error that names the path', async () => {
  const path = join(tmpdir(), 'no-such-folder', 'app.sock')
  await expect(serve(createTestApp(), { path })).rejects.toMatchObject({
    code: 'cannot_listen',
    message: expect.stringContaining(`Cannot listen on the socket ${path} (`),
  })
})
